import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { CacheChange, Controller } from '@karpenter/runtime';
import { nodeClaimConditions, nodePoolNameOf } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { consolidatableAtMs } from '../../cluster/index.ts';
import type { PodChanges } from '../../cluster/index.ts';
import { isDeleting, isLaunched, keyOfClaim } from '../../state/index.ts';
import { driftOf } from '../../disruption/index.ts';
import { driftedCondition, writeClaimStatus } from '../../actions/index.ts';
import type { ConditionChange } from '../../actions/index.ts';
import { CloudProviderError, isManaged } from '../../cloudprovider/index.ts';
import { claimsOfNodeClasses, hasNewSpec } from '../watches.ts';
import type { Shell } from '../shell.ts';

/** Whether a node has been without pod changes for `consolidateAfter`, or when it will have been. */
type Consolidatable = { readonly kind: 'yes' } | { readonly kind: 'no' } | { readonly kind: 'later'; readonly inMs: number };

/** Static pools, and pools that say `Never`, are not consolidated. */
export const consolidatableOf = (changes: PodChanges, pool: NodePool, nowMs: number): Consolidatable => {
  const inMs = consolidatableAtMs(changes, pool) - nowMs;
  if (inMs === Number.POSITIVE_INFINITY) return { kind: 'no' };
  return inMs > 0 ? { kind: 'later', inMs } : { kind: 'yes' };
};

const podChangesOf = ({ state }: Shell, claim: NodeClaim): PodChanges => ({
  claim,
  lastPodEventMs: state.lastPodEventMs(claim.status?.nodeName ?? ''),
});

const RECHECK_MS = 5 * 60_000;
/** For a failed call of the provider; the metrics of its calls count the failure. */
const RETRY_MS = 60_000;

const consolidatableChange = ({ kind }: Consolidatable): ConditionChange =>
  kind === 'yes'
    ? { type: nodeClaimConditions.consolidatable, status: 'True' }
    : { type: nodeClaimConditions.consolidatable, cleared: true };

/** What is known about a claim's drift. `unknown`: a call of the provider failed, so the condition does not change. */
type Drift = { readonly kind: 'known'; readonly reason: string | undefined } | { readonly kind: 'unknown' };

const driftIn = async (shell: Shell, { claim, pool }: { claim: NodeClaim; pool: NodePool }, signal: AbortSignal): Promise<Drift> => {
  const { provider, clock } = shell;
  try {
    const instanceTypes = await provider.getInstanceTypes(pool, { signal });
    const facts = { pool, instanceTypes, labelCatalog: provider.labelCatalog, nowMs: clock.now() };
    return { kind: 'known', reason: driftOf(claim, facts) ?? (await provider.isDrifted(claim, { signal })) };
  } catch (error) {
    if (error instanceof CloudProviderError) return { kind: 'unknown' };
    throw error;
  }
};

const driftChanges = ({ state }: Shell, { claim, drift }: { claim: NodeClaim; drift: Drift }): readonly ConditionChange[] => {
  if (drift.kind === 'unknown') return [];
  const machine = keyOfClaim(claim.metadata.name);
  if (drift.reason !== undefined) return [driftedCondition(drift.reason, state.replacements.of(machine))];
  state.replacements.forgetDrift(machine);
  return [{ type: nodeClaimConditions.drifted, cleared: true }];
};

/** Whether a change of a pool may be one for its claims: its status changes with each of its nodes, its metadata as anybody likes. */
const concernsClaims = (change: CacheChange<NodePool>): boolean => change.type !== 'updated' || hasNewSpec(change);

/** Keeps `Consolidatable` and `Drifted`, by which disruption picks its candidates. */
export const conditions = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.disruption',
  kind: 'NodeClaim',
  concurrency: 10,
  watches: [
    watchOf<NodePool>('NodePool', (change) => {
      const claims = concernsClaims(change) ? shell.caches.nodeClaims.list() : [];
      const { name } = change.object.metadata;
      return claims.filter((claim) => nodePoolNameOf(claim) === name).map(({ metadata }) => ({ name: metadata.name }));
    }),
    ...claimsOfNodeClasses(shell),
  ],
  async reconcile(claim, { signal }) {
    if (isDeleting(claim) || !isLaunched(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const pool = shell.caches.nodePools.get({ name: nodePoolNameOf(claim) });
    if (pool === undefined) return settled;
    const nowMs = shell.clock.now();
    const consolidatable = consolidatableOf(podChangesOf(shell, claim), pool, nowMs);
    const drift = await driftIn(shell, { claim, pool }, signal);
    await writeClaimStatus(
      shell,
      { claim, conditions: [consolidatableChange(consolidatable), ...driftChanges(shell, { claim, drift })] },
      { signal, nowMs },
    );
    const recheckMs = drift.kind === 'unknown' ? RETRY_MS : RECHECK_MS;
    return requeueAfter(consolidatable.kind === 'later' ? Math.min(consolidatable.inMs, recheckMs) : recheckMs);
  },
});
