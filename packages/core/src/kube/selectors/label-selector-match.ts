import { unreachable } from '../../base/index.ts';
import type { LabelSelector, LabelSelectorRequirement } from './selector.ts';

/** Label key → value. */
export type Labels = Readonly<Record<string, string>>;

const holds = ({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels): boolean => {
  const value = labels[key];
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
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every((e) => holds(e, labels));
};
