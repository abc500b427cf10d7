import { yieldToEventLoop } from '@karpenter/runtime';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { addResources, firstShortage, maxResources, resourcesOf, subtractResources } from '../kube/index.ts';
import type { NodeView } from '../cluster/index.ts';
import type { Resources } from '../kube/index.ts';
import type { CreationReason } from '../ports/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import type { ClusterState } from '../state/index.ts';
import { claimOfPlanned } from './claim-of-planned.ts';
import type { PlannedClaim } from './claim-of-planned.ts';
import { createExpected } from './create-expected.ts';
import type { Expecting } from './create-expected.ts';

export interface Creating extends Expecting {
  readonly state: Pick<ClusterState, 'usageOf' | 'expected'>;
}

export interface ClaimCreation {
  readonly planned: readonly PlannedNode[];
  readonly reason: CreationReason;
  /** Different for each plan, the same when one plan's writes are repeated. */
  readonly attempt: string;
  /** Nodes that go once the planned ones exist, so limits no longer count them. If given, either all planned nodes are created or none. */
  readonly leaving?: readonly NodeView[];
  /** Further annotations of each claim. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The resource whose limit is exceeded by `usage`, the total of the pool's machines; undefined when there is none. */
export const limitBroken = (pool: NodePool, usage: Resources): string | undefined => {
  const limits = resourcesOf(pool.spec.limits);
  return firstShortage(Object.fromEntries(Object.keys(limits).map((name) => [name, usage[name] ?? 0])), limits);
};

/** The usage of a pool without the nodes that leave it. */
const stayingIn = (nodePoolName: string, usage: Resources, leaving: readonly NodeView[]): Resources =>
  leaving
    .filter((node) => node.nodePoolName === nodePoolName && !node.isMarkedForDeletion)
    .reduce((left, { capacity }) => subtractResources(left, { ...capacity, nodes: 1 }), usage);

/** The most that the node may turn out to have: limits hold whatever the cloud picks. */
const largestOf = ({ instanceTypes }: PlannedNode): Resources =>
  instanceTypes.reduce<Resources>((most, { capacity }) => maxResources(most, capacity), { nodes: 1 });

/** Makes something for a planned node. A bug that one planned node triggers is reported, and costs the others nothing. */
const madeFor = <T>({ reporter }: Creating, planned: PlannedNode, make: () => readonly T[]): readonly T[] => {
  try {
    return make();
  } catch (error) {
    reporter.report({ kind: 'claim-not-made', planned, error });
    return [];
  }
};

/** Which of the planned nodes their pools still have room for, in order; the others are reported. */
const admitted = (creating: Creating, { planned, attempt, leaving = [], annotations = {} }: ClaimCreation): readonly PlannedClaim[] => {
  const { caches, state, reporter } = creating;
  const usage = new Map<string, Resources>();
  const admit = (node: PlannedNode, index: number): readonly PlannedClaim[] => {
    const pool = caches.nodePools.get({ name: node.nodePoolName });
    if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return [];
    const before = usage.get(node.nodePoolName) ?? stayingIn(node.nodePoolName, state.usageOf(node.nodePoolName), leaving);
    const after = addResources(before, largestOf(node));
    const resource = limitBroken(pool, after);
    if (resource !== undefined) {
      reporter.report({ kind: 'node-claim-refused', planned: node, resource });
      return [];
    }
    usage.set(node.nodePoolName, after);
    return [{ planned: node, pool, attempt, index, annotations }];
  };
  return planned.flatMap((node, index) => madeFor(creating, node, () => admit(node, index)));
};

/** Claims between two turns of the event loop: a few milliseconds. */
const CLAIMS_A_TURN = 16;

/** Item → resolves when it is its turn: `itemsATurn` items in each turn of the event loop, the first ones immediately. */
const inTurns = (itemsATurn: number): ((item: number) => Promise<void>) => {
  let turn = Promise.resolve();
  return (item) => {
    if (item > 0 && item % itemsATurn === 0) turn = turn.then(yieldToEventLoop);
    return turn;
  };
};

/** All results. The first failure is thrown only when no other write is under way, so that a new plan overlooks none. */
const allSettled = async <T>(underway: readonly Promise<T>[]): Promise<readonly T[]> => {
  await Promise.allSettled(underway);
  return Promise.all(underway);
};

/**
 * Creates a NodeClaim for each planned node, all concurrently, and returns when state has them. Limits are checked again, against what exists now and what
 * others have asked for; from then on these claims count too. A claim whose answer was lost counts as created: `lostAnswers` finds out. Repeating the
 * same creation creates nothing twice.
 */
export const createNodeClaims = async (creating: Creating, creation: ClaimCreation, signal: AbortSignal): Promise<readonly NodeClaim[]> => {
  const { planned, leaving, reason } = creation;
  const turnOf = inTurns(CLAIMS_A_TURN);
  const { expected } = creating.state;
  const claims = admitted(creating, creation).flatMap((each) =>
    madeFor(creating, each.planned, () => [
      { claim: claimOfPlanned(each), news: { kind: 'node-claim-created', planned: each.planned, reason } as const },
    ]),
  );
  if (leaving !== undefined && claims.length < planned.length) return [];
  for (const { claim, news } of claims) expected.expect(claim, news);
  return allSettled(
    claims.map(async (each, item) => {
      await turnOf(item);
      return createExpected(creating, each, signal);
    }),
  );
};
