import type { NodePool } from '../../apis/index.ts';
import { annotations } from '../../apis/index.ts';
import { compareText, durationOrNeverMs, epochMsOf } from '../../base/index.ts';
import { isDoNotDisrupt } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { disruptionCost } from '../../disruption/index.ts';
import { isReschedulable } from '../../kube/index.ts';
import type { StaticMachines } from './static-machines.ts';
import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { deleteNodeClaim } from '../../actions/index.ts';
import type { Shell } from '../shell.ts';
import { isManagedStaticPool, poolsOfClaims, staticMachines } from './static-machines.ts';

/** How much of its life a machine has before it: 1 for one that never expires. */
const lifeLeft = ({ claim }: NodeView, nowMs: number): number => {
  const lastsMs = durationOrNeverMs(claim?.spec.expireAfter ?? 'Never') ?? Number.POSITIVE_INFINITY;
  if (lastsMs === Number.POSITIVE_INFINITY || lastsMs <= 0) return 1;
  const ageMs = nowMs - (epochMsOf(claim?.metadata.creationTimestamp) ?? nowMs);
  return Math.min(1, Math.max(0, 1 - ageMs / lastsMs));
};

const isWanted = ({ annotations: said, pods }: NodeView, nowMs: number): boolean =>
  said[annotations.doNotDisrupt] === 'true' || pods.some((pod) => isDoNotDisrupt(pod, nowMs));

/** Smaller goes first, number by number. */
const rankOf = (view: NodeView, nowMs: number): readonly number[] => {
  const moving = view.pods.filter(isReschedulable);
  const isProtected = isWanted(view, nowMs);
  return [
    view.claim?.status?.providerID === undefined ? 0 : 1,
    moving.length === 0 && !isProtected ? 0 : 1,
    isProtected ? 1 : 0,
    disruptionCost(moving) * lifeLeft(view, nowMs),
  ];
};

const compareRanks = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

/**
 * The machines of a static pool that are more than its replicas, in the order in which they should go: those that are
 * no machines yet, empty ones without do-not-disrupt, others without it, and then those that cost least to move.
 * Source: the original's `pkg/controllers/static/deprovisioning`. Differs: it looks at the annotation `do-not-disrupt`
 * of pods only; here that of the node counts too.
 */
const surplusOf = ({ spec }: NodePool, { active }: StaticMachines, nowMs: number): readonly NodeView[] => {
  const surplus = active.length - (spec.replicas ?? 0);
  if (surplus <= 0) return [];
  return active
    .map((view) => ({ view, rank: rankOf(view, nowMs) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || compareText(a.view.name, b.view.name))
    .slice(0, surplus)
    .map(({ view }) => view);
};

const PERIOD_MS = 60_000;
const UNSYNCED_MS = 1000;

/** Ends machines of static pools that are more than `replicas`. Budgets do not count: a person asked for fewer. */
export const staticDeprovisioning = (shell: Shell): Controller<NodePool> => ({
  name: 'static.deprovisioning',
  kind: 'NodePool',
  watches: [poolsOfClaims],
  async reconcile(pool, { signal }) {
    const { state, clock } = shell;
    if (!isManagedStaticPool(pool, shell)) return settled;
    if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
    const nowMs = clock.now();
    const machines = staticMachines(pool.metadata.name, state.views(nowMs));
    for (const { claim } of surplusOf(pool, machines, nowMs)) {
      if (claim !== undefined) await deleteNodeClaim(shell, claim, { reason: 'static_scale_down', signal });
    }
    return requeueAfter(PERIOD_MS);
  },
});
