import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { durationOrNeverMs, epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { isInitialized } from '../../../state/index.ts';

/** Whether a node has been quiet for long enough to be given up, or when it will have been. */
export type Consolidatable = { readonly kind: 'yes' } | { readonly kind: 'no' } | { readonly kind: 'later'; readonly inMs: number };

/** Quiet counts from the last pod that came or went, or from initialization. Static pools are not consolidated. */
export const consolidatableOf = (claim: NodeClaim, pool: NodePool | undefined, nowMs: number): Consolidatable => {
  const afterMs = durationOrNeverMs(pool?.spec.disruption?.consolidateAfter ?? '0s') ?? 0;
  const isOut = pool === undefined || pool.spec.replicas !== undefined || afterMs === Number.POSITIVE_INFINITY;
  if (isOut || !isInitialized(claim)) return { kind: 'no' };
  const initializedAt = conditionOf(claim.status?.conditions, nodeClaimConditions.initialized)?.lastTransitionTime;
  const quietSinceMs = epochMsOf(claim.status?.lastPodEventTime) ?? epochMsOf(initializedAt) ?? nowMs;
  const inMs = quietSinceMs + afterMs - nowMs;
  return inMs > 0 ? { kind: 'later', inMs } : { kind: 'yes' };
};
