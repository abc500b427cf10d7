import { disruptionOf, nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { durationOrNeverMs, epochMsOf } from '../base/index.ts';
import { conditionOf } from '../kube/index.ts';

/** What is known about a machine's pods coming and going. */
export interface PodChanges {
  readonly claim: NodeClaim;
  /** As this process knows it; the claim's `lastPodEventTime` is up to ten seconds behind. Epoch ms. */
  readonly lastPodEventMs?: number | undefined;
}

/** How long the machines of a pool are to be without pod changes; Infinity: they are never consolidated. */
export const consolidateAfterMs = (pool: NodePool): number => durationOrNeverMs(disruptionOf(pool).consolidateAfter) ?? 0;

/**
 * When the machine will have been without pod changes for the `consolidateAfter` of its pool, counted from its
 * initialization where no pod came; epoch ms. Infinity where the pool is static or never consolidates, or the machine
 * is not initialized, or does not say since when.
 */
export const consolidatableAtMs = ({ claim: { status }, lastPodEventMs }: PodChanges, pool: NodePool): number => {
  const initialized = conditionOf(status?.conditions, nodeClaimConditions.initialized);
  if (pool.spec.replicas !== undefined || initialized?.status !== 'True') return Number.POSITIVE_INFINITY;
  const eventsMs = [epochMsOf(status?.lastPodEventTime), lastPodEventMs].filter((ms) => ms !== undefined);
  const quietSinceMs =
    eventsMs.length > 0 ? Math.max(...eventsMs) : (epochMsOf(initialized.lastTransitionTime) ?? Number.POSITIVE_INFINITY);
  return quietSinceMs + consolidateAfterMs(pool);
};
