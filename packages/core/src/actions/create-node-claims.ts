import { KubeError, yieldToEventLoop } from '@karpenter/runtime';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { addResources, firstShortage, resourcesOf, subtractResources } from '../kube/index.ts';
import type { NodeView } from '../cluster/index.ts';
import type { Resources } from '../kube/index.ts';
import type { CreationReason, DecisionReporter } from '../ports/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import type { ClusterState } from '../state/index.ts';
import { claimOfPlanned } from './claim-of-planned.ts';
import type { PlannedClaim } from './claim-of-planned.ts';
import type { Acting } from './write-through.ts';

export interface Creating extends Acting {
  readonly state: Pick<ClusterState, 'usageOf'>;
  readonly reporter: DecisionReporter;
}

export interface ClaimCreation {
  readonly planned: readonly PlannedNode[];
  readonly reason: CreationReason;
  /** Different for each plan, the same when one plan's writes are repeated. */
  readonly attempt: string;
  /** Nodes that go once these stand: their pools' limits count them no more. Then it is all of the planned nodes or none. */
  readonly leaving?: readonly NodeView[];
  /** What each claim is to say beside what it says of itself. */
  readonly annotations?: Readonly<Record<string, string>>;
}

const limitBroken = (pool: NodePool, usage: Resources): string | undefined => {
  const limits = resourcesOf(pool.spec.limits);
  return firstShortage(Object.fromEntries(Object.keys(limits).map((name) => [name, usage[name] ?? 0])), limits);
};

/** What a pool has without the nodes that leave it. */
const stayingIn = (nodePoolName: string, usage: Resources, leaving: readonly NodeView[]): Resources =>
  leaving
    .filter((node) => node.nodePoolName === nodePoolName && !node.isMarkedForDeletion)
    .reduce((left, { capacity }) => subtractResources(left, { ...capacity, nodes: 1 }), usage);

/** Which of the planned nodes their pools still have room for, in order; the others are reported. */
const admitted = (
  { caches, state, reporter }: Creating,
  { planned, attempt, leaving = [], annotations = {} }: ClaimCreation,
): readonly PlannedClaim[] => {
  const usage = new Map<string, Resources>();
  return planned.flatMap((node, index) => {
    const pool = caches.nodePools.get({ name: node.nodePoolName });
    if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return [];
    const before = usage.get(node.nodePoolName) ?? stayingIn(node.nodePoolName, state.usageOf(node.nodePoolName), leaving);
    const after = addResources(before, { ...node.cheapest.instanceType.capacity, nodes: 1 });
    const resource = limitBroken(pool, after);
    if (resource !== undefined) {
      reporter.report({ kind: 'node-claim-refused', planned: node, resource });
      return [];
    }
    usage.set(node.nodePoolName, after);
    return [{ planned: node, pool, attempt, index, annotations }];
  });
};

/** A claim of this name that is there already is the one that an earlier try made. */
const createOnce = async ({ kube }: Acting, claim: NodeClaim, signal: AbortSignal): Promise<NodeClaim> => {
  try {
    return await kube.create('NodeClaim', claim, { signal });
  } catch (error) {
    if (error instanceof KubeError && error.code === 'already-exists')
      return (await kube.get<NodeClaim>('NodeClaim', { name: claim.metadata.name }, { signal })) ?? claim;
    throw error;
  }
};

/** Claims that are made without a pause: some milliseconds. */
const CLAIMS_A_TURN = 16;

/** Item → resolves when it has its turn: so many items in each turn of the event loop, the first ones at once. */
const inTurns = (itemsATurn: number): ((item: number) => Promise<void>) => {
  let turn = Promise.resolve();
  return (item) => {
    if (item > 0 && item % itemsATurn === 0) turn = turn.then(yieldToEventLoop);
    return turn;
  };
};

/** What all of them came to; the first failure only once no other write is on its way, lest a new plan overlook it. */
const allSettled = async <T>(underway: readonly Promise<T>[]): Promise<readonly T[]> => {
  await Promise.allSettled(underway);
  return Promise.all(underway);
};

/**
 * Writes a NodeClaim for each planned node, all at once, and returns when state has them. Limits are checked again, against what is there
 * now. Repeating the same creation makes nothing twice.
 */
export const createNodeClaims = async (creating: Creating, creation: ClaimCreation, signal: AbortSignal): Promise<readonly NodeClaim[]> => {
  const turnOf = inTurns(CLAIMS_A_TURN);
  const wanted = admitted(creating, creation);
  if (creation.leaving !== undefined && wanted.length < creation.planned.length) return [];
  return allSettled(
    wanted.map(async (each, item) => {
      await turnOf(item);
      const claim = await createOnce(creating, claimOfPlanned(each), signal);
      const { resourceVersion } = claim.metadata;
      if (resourceVersion !== undefined) await creating.caches.nodeClaims.waitFor(resourceVersion, signal);
      creating.reporter.report({ kind: 'node-claim-created', claim, planned: each.planned, reason: creation.reason });
      return claim;
    }),
  );
};
