import type { NodeClaim } from '../../apis/index.ts';

/**
 * On a NodeClaim: the uids of the pods that it was made for, comma-separated. A controller that restarts knows by it
 * which pods are already taken care of, and creates no second machine for them. Differs: the original forgets at a
 * restart, and plans such pods again.
 */
export const PLANNED_PODS_ANNOTATION = 'karpenter.sh/planned-pods';

export const plannedPodsOf = (claim: NodeClaim): readonly string[] =>
  (claim.metadata.annotations?.[PLANNED_PODS_ANNOTATION] ?? '').split(',').filter((id) => id !== '');
