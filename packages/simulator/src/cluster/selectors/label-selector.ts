import type { LabelSelector, LabelSelectorRequirement } from '@karpenter/core';

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
  }
};

/** Whether a selector selects these labels. No selector selects nothing, an empty one everything. */
export const selects = (selector: LabelSelector | undefined, labels: Labels): boolean =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every((requirement) => holds(requirement, labels));
