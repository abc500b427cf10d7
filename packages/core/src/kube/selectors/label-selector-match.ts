import { unreachable } from '../../base/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from './selector.ts';

/** Label key → value. */
export type Labels = Readonly<Record<string, string>>;

/**
 * The value of a label; undefined where there is none. Labels come from outside and may be called like what every
 * object has: `constructor` is a label that hardly any object carries.
 */
export const labelOf = (labels: Labels | undefined, key: string): string | undefined =>
  labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;

const holds = ({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels): boolean => {
  const value = labelOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return unreachable(operator);
  }
};

/** Whether the selector picks an object with these labels. An absent selector picks nothing, an empty one everything. */
export const matchesLabelSelector = (selector: LabelSelector | undefined, labels: Labels = {}): boolean => {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(labels, key) === value) && matchExpressions.every((e) => holds(e, labels))
  );
};
