import { disruptionOf, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { durationOrNeverMs, epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { isInitialized } from '../../../state/index.ts';

/** Whether a node has been without pod changes for `consolidateAfter`, or when it will have been. */
export type Consolidatable = { readonly kind: 'yes' } | { readonly kind: 'no' } | { readonly kind: 'later'; readonly inMs: number };

/** The last pod that came or went, or initialization where there was none. */
const quietSinceMs = ({ status }: NodeClaim): number | undefined =>
  epochMsOf(status?.lastPodEventTime) ?? epochMsOf(conditionOf(status?.conditions, nodeClaimConditions.initialized)?.lastTransitionTime);

/** Static pools, and pools that say `Never`, are not consolidated. */
export const consolidatableOf = (claim: NodeClaim, pool: NodePool, nowMs: number): Consolidatable => {
  const afterMs = durationOrNeverMs(disruptionOf(pool).consolidateAfter) ?? 0;
  const isOut = pool.spec.replicas !== undefined || afterMs === Number.POSITIVE_INFINITY;
  if (isOut || !isInitialized(claim)) return { kind: 'no' };
  const inMs = (quietSinceMs(claim) ?? nowMs) + afterMs - nowMs;
  return inMs > 0 ? { kind: 'later', inMs } : { kind: 'yes' };
};
