import type { Taint } from '../kube/index.ts';

/** On a node that is about to be deleted: nothing new is scheduled there. */
export const disruptedTaint: Taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };

/** On a machine until Karpenter has recognised its node: nothing runs before labels and taints are right. */
export const unregisteredTaint: Taint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };
