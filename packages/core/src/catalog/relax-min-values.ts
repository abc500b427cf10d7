import type { Requirement, Requirements } from '../requirements/index.ts';
import type { InstanceType } from './instance-type.ts';
import { minValuesOf } from './min-values.ts';

const atMost = ({ minValues: _, ...requirement }: Requirement, found: number): Requirement =>
  found === 0 ? requirement : { ...requirement, minValues: found };

/** The requirements with each `minValues` lowered to what the types offer; the same object where they offer enough. */
export const relaxMinValues = (requirements: Requirements, types: readonly InstanceType[]): Requirements => {
  const answer = minValuesOf(requirements, types);
  if (answer.kind === 'met') return requirements;
  const relaxed = new Map(requirements);
  for (const { key, found } of answer.shortfalls) {
    const requirement = requirements.get(key);
    if (requirement !== undefined) relaxed.set(key, atMost(requirement, found));
  }
  return relaxed;
};
