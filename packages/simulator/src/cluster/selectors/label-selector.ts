import type { LabelSelector } from '@karpenter/core/internal';
import type { NodeLabels } from './node-selector.ts';
import { satisfies } from './node-selector.ts';

/** Whether a selector selects these labels. No selector selects nothing, an empty one everything. */
export const selects = (selector: LabelSelector | undefined, labels: NodeLabels): boolean =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
  (selector.matchExpressions ?? []).every((requirement) => satisfies(requirement, labels));
