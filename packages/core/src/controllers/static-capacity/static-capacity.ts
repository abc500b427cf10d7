import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, Watch } from '@karpenter/runtime';
import { annotations, labels, nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../apis/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import { isDoNotDisrupt } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isConditionTrue, isReschedulable, resourcesOf } from '../../kube/index.ts';
import type { Shell } from '../shell.ts';
import { deleteNodeClaim } from '../../actions/index.ts';
import { MOST_EMPTY_NODES_AT_ONCE, planningStaticNode } from '../../scheduling/index.ts';
import type { SchedulingPolicy } from '../../scheduling/index.ts';
import { nodePoolConditions } from '../../state/index.ts';
import { createOrRefuse } from '../provisioning/claim-refusals.ts';
import { decideInSlices, snapshotNow } from '../shell.ts';
import { compareText, durationOrNeverMs, epochMsOf } from '../../base/index.ts';
import { disruptionCost } from '../../disruption/index.ts';

/** The machines of a static pool by what is to become of them. */
export interface StaticMachines {
  readonly active: readonly NodeView[];
  /** A command replaces them; their replacements come, or are there already. */
  readonly beingReplaced: readonly NodeView[];
  readonly leaving: readonly NodeView[];
}

const isLeaving = ({ claim }: NodeView): boolean =>
  claim?.metadata.deletionTimestamp !== undefined || isConditionTrue(claim?.status?.conditions, nodeClaimConditions.instanceTerminating);

const isBeingReplaced = ({ claim, isMarkedForDeletion }: NodeView): boolean =>
  isMarkedForDeletion || isConditionTrue(claim?.status?.conditions, nodeClaimConditions.disruptionReason);

/** The pool's machines, sorted by what becomes of them. */
const staticMachines = (nodePoolName: string, views: readonly NodeView[]): StaticMachines => {
  const own = views.filter((view) => view.claim !== undefined && view.nodePoolName === nodePoolName);
  const staying = own.filter((view) => !isLeaving(view));
  return {
    active: staying.filter((view) => !isBeingReplaced(view)),
    beingReplaced: staying.filter(isBeingReplaced),
    leaving: own.filter(isLeaving),
  };
};

/** How many machines the pool lacks, and how many of those its limit on nodes allows now. */
export interface Lack {
  readonly wanted: number;
  readonly allowed: number;
}

/**
 * What a static pool lacks of its replicas. A machine that is being replaced counts until it leaves; the limit counts
 * every machine. Differs: the original asks for a second machine in place of one that is being replaced.
 */
const lackOf = ({ spec }: NodePool, { active, beingReplaced, leaving }: StaticMachines): Lack => {
  const wanted = Math.max(0, (spec.replicas ?? 0) - active.length - beingReplaced.length);
  const limit = resourcesOf(spec.limits)['nodes'] ?? Number.POSITIVE_INFINITY;
  const room = Math.max(0, limit - active.length - beingReplaced.length - leaving.length);
  return { wanted, allowed: Math.min(wanted, room) };
};

/** Whether the pool keeps a fixed number of nodes, and is ours to see to. */
const isManagedStaticPool = ({ metadata, spec }: NodePool, { provider }: Pick<Shell, 'provider'>): boolean =>
  spec.replicas !== undefined && metadata.deletionTimestamp === undefined && isManaged(spec.template.spec.nodeClassRef, provider);

/** A claim that comes or goes concerns its pool. */
const poolsOfClaims: Watch = watchOf<NodeClaim>('NodeClaim', ({ object: { metadata } }) => {
  const name = metadata.labels?.[labels.nodePool];
  return name === undefined ? [] : [{ name }];
});

const PERIOD_MS = 60_000;
const AT_LIMIT_MS = 30_000;
const UNSYNCED_MS = 1000;

/**
 * Makes machines for static pools until each has as many as its `replicas`, whether or not pods wait for them: 1,000 at
 * most in one reconcile, the others in the next, immediately. A pool whose claims the API server refuses pauses and
 * says why.
 */
export const staticProvisioning = (shell: Shell, policy: SchedulingPolicy): Controller<NodePool> => {
  const { state, clock } = shell;
  const lackNow = (pool: NodePool): Lack => lackOf(pool, staticMachines(pool.metadata.name, state.views(clock.now())));

  const fill = async (pool: NodePool, signal: AbortSignal): Promise<void> => {
    await state.refreshCatalogs(signal);
    const snapshot = snapshotNow(shell);
    const view = snapshot.nodePools.find(({ nodePool }) => nodePool.metadata.name === pool.metadata.name);
    const planned = view && (await decideInSlices(shell, planningStaticNode(view, snapshot, policy), signal));
    if (planned === undefined) return;
    const { wanted, allowed } = lackNow(pool);
    const nodes = Array.from({ length: Math.min(allowed, MOST_EMPTY_NODES_AT_ONCE) }, () => planned);
    const creation = { planned: nodes, reason: 'provisioned', attempt: `static-${clock.now()}-${wanted}` } as const;
    await createOrRefuse(shell, { creation, blame: () => 'pool' }, signal);
  };

  return {
    name: 'static.provisioning',
    kind: 'NodePool',
    watches: [poolsOfClaims],
    async reconcile(pool, { signal }) {
      if (!isManagedStaticPool(pool, shell)) return settled;
      if (!state.hasSynced()) return requeueAfter(UNSYNCED_MS);
      const { name } = pool.metadata;
      const isReady = isConditionTrue(pool.status?.conditions, nodePoolConditions.ready);
      const { wanted, allowed } = lackNow(pool);
      if (allowed > 0 && isReady && !state.launches.isHeld(name)) await fill(pool, signal);
      const isPartlyFilled = allowed > MOST_EMPTY_NODES_AT_ONCE && lackNow(pool).allowed < allowed;
      if (isPartlyFilled) return requeueAfter(0);
      return requeueAfter(allowed < wanted ? AT_LIMIT_MS : PERIOD_MS);
    },
  };
};

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
 * The machines of a static pool beyond its replicas, in the order in which they should go: claims without a machine,
 * empty nodes without do-not-disrupt, others without it. Ties go to those that cost least to move. Source: the
 * original's `pkg/controllers/static/deprovisioning`. Differs: it checks the annotation `do-not-disrupt` of pods
 * only; here that of the node counts too.
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
