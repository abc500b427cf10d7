import type { Requirement, Requirements } from '../requirements/index.ts';

/** One text for all requirements with the same meaning: a key to remember answers by, not for people. `minValues` is left out. */
export const requirementText = ({ key, values, mayBeAbsent }: Requirement): string => {
  const listed = JSON.stringify([...values.values].sort());
  const bounds = values.kind === 'in' ? '' : `${values.gte ?? ''}..${values.lte ?? ''}`;
  return `${key} ${values.kind}${mayBeAbsent ? '?' : ''} ${listed}${bounds}`;
};

/** The same for a whole set, whatever the order of its keys. */
export const requirementsText = (requirements: Requirements): string => {
  const texts = Array.from(requirements.values(), requirementText);
  return texts.length > 1 ? texts.sort().join('\n') : (texts[0] ?? '');
};
