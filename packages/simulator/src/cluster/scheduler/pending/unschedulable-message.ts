import { compareText } from '@karpenter/core/internal';
import type { NodeChoice } from '../choose-node.ts';

/** The message of `PodScheduled=False`, in the form that kube-scheduler gives it. */
export const unschedulableMessage = ({ nodeCount, refusals }: NodeChoice & { readonly kind: 'none' }): string => {
  if (nodeCount === 0) return 'no nodes available to schedule pods';
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodeCount} nodes are available: ${reasons.join(', ')}. preemption: not attempted, this scheduler never preempts.`;
};
