import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { writeClaimStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import { labels, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { isDeleting, isLaunched } from '../../../state/index.ts';
import { isManaged } from '../../managed.ts';
import type { Shell } from '../../shell.ts';
import { consolidatableOf } from './consolidatable-of.ts';
import type { Consolidatable } from './consolidatable-of.ts';
import { driftOf } from './drift-of.ts';

const RECHECK_MS = 5 * 60_000;

const consolidatableChange = ({ kind }: Consolidatable): ConditionChange =>
  kind === 'yes'
    ? { type: nodeClaimConditions.consolidatable, status: 'True' }
    : { type: nodeClaimConditions.consolidatable, cleared: true };

const driftReason = async (
  shell: Shell,
  { claim, pool }: { claim: NodeClaim; pool: NodePool },
  signal: AbortSignal,
): Promise<string | undefined> => {
  const { provider, clock } = shell;
  const instanceTypes = await provider.getInstanceTypes(pool, { signal });
  const facts = { pool, instanceTypes, labelCatalog: provider.labelCatalog, nowMs: clock.now() };
  return driftOf(claim, facts) ?? (await provider.isDrifted(claim, { signal }));
};

const driftChange = (reason: string | undefined): ConditionChange =>
  reason === undefined
    ? { type: nodeClaimConditions.drifted, cleared: true }
    : { type: nodeClaimConditions.drifted, status: 'True', reason, message: reason };

/** Keeps `Consolidatable` and `Drifted`, by which disruption picks its candidates. */
export const conditions = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.disruption',
  kind: 'NodeClaim',
  concurrency: 10,
  watches: [
    watchOf<NodePool>('NodePool', ({ object: { metadata } }) =>
      shell.caches.nodeClaims
        .list()
        .filter((claim) => claim.metadata.labels?.[labels.nodePool] === metadata.name)
        .map((claim) => ({ name: claim.metadata.name })),
    ),
  ],
  async reconcile(claim, { signal }) {
    if (isDeleting(claim) || !isLaunched(claim) || !isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const pool = shell.caches.nodePools.get({ name: claim.metadata.labels?.[labels.nodePool] ?? '' });
    if (pool === undefined) return settled;
    const nowMs = shell.clock.now();
    const consolidatable = consolidatableOf(claim, pool, nowMs);
    const drift = await driftReason(shell, { claim, pool }, signal);
    await writeClaimStatus(shell, { claim, conditions: [consolidatableChange(consolidatable), driftChange(drift)] }, { signal, nowMs });
    return requeueAfter(consolidatable.kind === 'later' ? Math.min(consolidatable.inMs, RECHECK_MS) : RECHECK_MS);
  },
});
