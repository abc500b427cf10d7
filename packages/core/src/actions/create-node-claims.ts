import { yieldToEventLoop } from '@karpenter/runtime';
import type { KubeError } from '@karpenter/runtime';
import { largestCapacityOf } from '../scheduling/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { addResources, firstShortage, resourcesOf, subtractResources } from '../kube/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { ClusterLimits, NodeView } from '../cluster/index.ts';
import type { Resources } from '../kube/index.ts';
import type { CreationReason } from '../ports/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import type { ClusterState } from '../state/index.ts';
import { claimOfPlanned, createExpected, isClaimRefusal } from './claim-creation.ts';
import type { Expecting, PlannedClaim } from './claim-creation.ts';

export interface Creating extends Expecting {
  readonly state: Pick<ClusterState, 'usageOf' | 'clusterLimits' | 'expected'>;
  readonly provider?: Pick<CloudProvider, 'defaultTerminationGracePeriod'>;
}

/** A claim that the API server refuses as invalid, or that admission denies: the same claim will be refused again. */
export interface RefusedClaim {
  readonly claim: NodeClaim;
  readonly planned: PlannedNode;
  readonly error: KubeError;
}

export interface ClaimCreation {
  readonly planned: readonly PlannedNode[];
  readonly reason: CreationReason;
  /** Different for each plan, the same when one plan's writes are repeated. */
  readonly attempt: string;
  /**
   * Nodes that go once the planned ones exist, so limits no longer count them. If given, either all planned nodes are
   * created or none.
   */
  readonly leaving?: readonly NodeView[];
  /** Further annotations of each claim. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Gets the claims that the API server refuses; the others are created. */
  readonly onRefused: (refused: RefusedClaim) => void;
}

/** The resource whose limit is exceeded by `usage`, the total of the pool's machines; undefined when there is none. */
export const limitBroken = (pool: NodePool, usage: Resources): string | undefined => {
  const limits = resourcesOf(pool.spec.limits);
  return firstShortage(Object.fromEntries(Object.keys(limits).map((name) => [name, usage[name] ?? 0])), limits);
};

/** The resource whose total over the nodes of all pools exceeds the cluster's limits; undefined when no resource does. */
export const clusterLimitBroken = ({ limits, usage }: ClusterLimits): string | undefined =>
  firstShortage(Object.fromEntries(Object.keys(limits).map((name) => [name, usage[name] ?? 0])), limits);

/** The usage without the nodes that leave. */
const staying = (usage: Resources, leaving: readonly NodeView[]): Resources =>
  leaving
    .filter(({ isMarkedForDeletion }) => !isMarkedForDeletion)
    .reduce((left, { capacity }) => subtractResources(left, { ...capacity, nodes: 1 }), usage);

/** Makes something for a planned node. A bug that one planned node triggers is reported, and costs the others nothing. */
const madeFor = <T>({ reporter }: Creating, planned: PlannedNode, make: () => readonly T[]): readonly T[] => {
  try {
    return make();
  } catch (error) {
    reporter.report({ kind: 'claim-not-made', planned, error });
    return [];
  }
};

/** Counts planned nodes against the limits of their pools and of the cluster, one after the other. */
class Admission {
  readonly #creating: Creating;
  readonly #leaving: readonly NodeView[];
  readonly #usage = new Map<string, Resources>();
  #cluster: ClusterLimits | undefined;

  constructor(creating: Creating, leaving: readonly NodeView[]) {
    this.#creating = creating;
    this.#leaving = leaving;
    const limits = creating.state.clusterLimits();
    this.#cluster = limits && { ...limits, usage: staying(limits.usage, leaving) };
  }

  /** Whether there is room for the node, which counts from now on; if there is none, that is reported. */
  admits(planned: PlannedNode, pool: NodePool): boolean {
    const { nodePoolName: name } = planned;
    const size = largestCapacityOf(planned);
    const after = addResources(this.#usageOf(name), size);
    const cluster = this.#cluster && { ...this.#cluster, usage: addResources(this.#cluster.usage, size) };
    const ofPool = limitBroken(pool, after);
    const resource = ofPool ?? (cluster && clusterLimitBroken(cluster));
    if (resource !== undefined) {
      const of = ofPool === undefined ? 'cluster' : 'pool';
      this.#creating.reporter.report({ kind: 'node-claim-refused', planned, resource, of });
      return false;
    }
    this.#usage.set(name, after);
    this.#cluster = cluster;
    return true;
  }

  #usageOf(name: string): Resources {
    const known = this.#usage.get(name);
    const own = this.#leaving.filter(({ nodePoolName }) => nodePoolName === name);
    return known ?? staying(this.#creating.state.usageOf(name), own);
  }
}

/** Which of the planned nodes the limits still have room for, in order; the others are reported. */
const admitted = (creating: Creating, { planned, attempt, leaving = [], annotations = {} }: ClaimCreation): readonly PlannedClaim[] => {
  const admission = new Admission(creating, leaving);
  const terminationGracePeriod = creating.provider?.defaultTerminationGracePeriod;
  const admit = (node: PlannedNode, index: number): readonly PlannedClaim[] => {
    const pool = creating.caches.nodePools.get({ name: node.nodePoolName });
    if (pool === undefined || pool.metadata.deletionTimestamp !== undefined) return [];
    return admission.admits(node, pool) ? [{ planned: node, pool, attempt, index, annotations, terminationGracePeriod }] : [];
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
 * Creates a NodeClaim for each planned node, all concurrently, and returns when state has them. Limits are checked
 * again, against what exists now and what others have asked for; from then on these claims count too. A claim whose
 * answer was lost counts as created: `unansweredCreates` finds out. Repeating the same creation creates nothing twice.
 */
export const createNodeClaims = async (creating: Creating, creation: ClaimCreation, signal: AbortSignal): Promise<readonly NodeClaim[]> => {
  const { planned, leaving, reason, onRefused } = creation;
  const turnOf = inTurns(CLAIMS_A_TURN);
  const { expected } = creating.state;
  const claims = admitted(creating, creation).flatMap((each) =>
    madeFor(creating, each.planned, () => [
      { claim: claimOfPlanned(each), report: { kind: 'node-claim-created', planned: each.planned, reason } as const },
    ]),
  );
  if (leaving !== undefined && claims.length < planned.length) return [];
  for (const { claim, report } of claims) expected.expect(claim, report);
  const create = async (each: (typeof claims)[number], item: number): Promise<readonly NodeClaim[]> => {
    await turnOf(item);
    try {
      return [await createExpected(creating, each, signal)];
    } catch (error) {
      if (!isClaimRefusal(error)) throw error;
      onRefused({ claim: each.claim, planned: each.report.planned, error });
      return [];
    }
  };
  return (await allSettled(claims.map(create))).flat();
};
