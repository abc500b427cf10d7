import { isAdmissionDenial } from '@karpenter/runtime';
import { createNodeClaims } from '../../actions/index.ts';
import type { ClaimCreation, RefusedClaim } from '../../actions/index.ts';
import { getOrMake, highestOf } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { namespaceOf, requestsOfPodSpec } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { LONGEST_DENIED_MS, podId } from '../../state/index.ts';
import type { ClusterState } from '../../state/index.ts';
import type { Clock } from '../../ports/index.ts';
import { truncate } from '../nodeclaim/lifecycle/launch.ts';
import { reportPool } from '../nodeclaim/lifecycle/registration.ts';
import { withPendingPodsOnly } from '../isolation/plan-guard.ts';
import type { Shell } from '../shell.ts';

/** How long pods are held whose claims were refused twice, thrice and so on; the last one from then on. Denials hold less. */
const HOLDS_MS = [60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000] as const;

const ORDINARY_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** Names of other resources that a pod requests, in order; undefined for most. */
const resourcesBeside = ({ spec }: Pod): readonly string[] | undefined => {
  const names = Object.keys(requestsOfPodSpec(spec)).filter((name) => !ORDINARY_RESOURCES.has(name));
  return names.length === 0 ? undefined : names.sort();
};

/** What a pod adds to the claim of its node beside amounts of ordinary resources; nothing for most. */
const partsOf = (pod: Pod): readonly unknown[] => {
  const { nodeSelector, affinity, volumes, topologySpreadConstraints, resourceClaims } = pod.spec;
  const parts = [nodeSelector, affinity, volumes, topologySpreadConstraints, resourceClaims, resourcesBeside(pod)];
  return parts.every((part) => part === undefined) ? [] : parts;
};

/**
 * Equal for pods that add the same; empty for those that add nothing. Pods of two namespaces never add the same: a
 * claim of the same name has another volume there. A copy of a pod elsewhere must not delay it.
 */
const additionsOf = (pod: Pod): string => {
  const parts = partsOf(pod);
  return parts.length === 0 ? '' : JSON.stringify([namespaceOf(pod), ...parts]);
};

const SHAPING: ReadonlySet<string> = new Set(['key', 'operator', 'topologyKey']);

/** Equal for pods whose additions differ in values only. */
const shapeOf = (pod: Pod): string =>
  JSON.stringify(partsOf(pod), (name, part: unknown) => {
    const isKept = SHAPING.has(name) || (typeof part === 'object' && name !== 'values');
    return isKept ? part : '';
  });

/** Where a pod comes from: its owner, else its shape. */
const originOf = (pod: Pod): string => pod.metadata.ownerReferences?.[0]?.uid ?? shapeOf(pod);

const groupsOf = (pods: readonly Pod[], keyOf = additionsOf): ReadonlyMap<string, readonly Pod[]> => Map.groupBy(pods, keyOf);

/** Each split leaves at most three quarters of the additions together. */
const LEAST_OF_CROWD = 1 / 4;

/** Pods of one origin or shape that add more different things than those of any other; undefined: they add few of all. */
const crowdOf = (pods: readonly Pod[], additions: number): readonly Pod[] | undefined => {
  const crowds = [originOf, shapeOf].flatMap((keyOf) => [...groupsOf(pods, keyOf).values()]);
  return crowds
    .filter((crowd) => crowd.length < pods.length)
    .map((crowd) => ({ crowd, count: groupsOf(crowd).size }))
    .filter(({ count }) => count > 1 && count >= additions * LEAST_OF_CROWD)
    .sort((one, other) => other.count - one.count)[0]?.crowd;
};

/**
 * Pods that add different things and were refused together, in two parts. Many that differ but have one origin or shape
 * are likely to be refused for the same reason: the others come first. Else halves, in which pods of one origin stay
 * together as far as possible.
 */
const splitSuspects = (pods: readonly Pod[]): readonly (readonly Pod[])[] => {
  const groups = [...groupsOf([...groupsOf(pods, originOf).values()].flat()).values()];
  const crowd = crowdOf(pods, groups.length);
  if (crowd !== undefined) return [pods.filter((pod) => !crowd.includes(pod)), crowd];
  const half = Math.ceil(groups.length / 2);
  return [groups.slice(0, half).flat(), groups.slice(half).flat()];
};

/** Field and value, as far as the API server names them. */
const messageOf = ({ error: { causes, message } }: RefusedClaim): string =>
  truncate(causes.length === 0 ? message : causes.map(({ field = 'NodeClaim', message: problem }) => `${field}: ${problem}`).join('; '));

/** Whose fault a refusal is. `unknown`: the pods add different things. */
type Blamed = 'pods' | 'pool' | 'unknown';

const blameOf = (groups: ReadonlyMap<string, readonly Pod[]>): Blamed => {
  if (groups.size > 1) return 'unknown';
  return groups.size === 0 || groups.has('') ? 'pool' : 'pods';
};

/** Whose fault it is that the claim of a replacement is refused. */
export const blameForReplacement = ({ planned: { pods } }: RefusedClaim): Blamed => blameOf(groupsOf(pods));

interface Hold {
  readonly times: number;
  /** Epoch ms. */
  readonly untilMs: number;
}

/** Groups of pod ids that are planned apart for one namespace: `joint` first, then those of `suspects`, then `blamed`. */
interface ApartQueue {
  /** At most one group: pods that were refused together with those of other namespaces. */
  readonly joint: Set<string>[];
  /** Origin → parts of groups that were refused, the oldest first. The origin whose turn is next comes first. */
  readonly suspects: Map<string, Set<string>[]>;
  /** Groups that were refused alone, the oldest first. */
  readonly blamed: Set<string>[];
}

/** The origin of groups whose pods have several. */
const MIXED = '';

const groupListsOf = ({ joint, suspects, blamed }: ApartQueue): readonly Set<string>[][] => [joint, ...suspects.values(), blamed];

const isEmpty = (queue: ApartQueue): boolean => groupListsOf(queue).every((groups) => groups.length === 0);

/** Drops pods that do not wait, and what is empty then. */
const dropFrom = (queue: ApartQueue, waiting: ReadonlySet<string>): void => {
  for (const groups of groupListsOf(queue)) {
    const left = groups.map((ids) => ids.intersection(waiting)).filter((ids) => ids.size > 0);
    groups.length = 0;
    for (const ids of left) groups.push(ids);
  }
  for (const [origin, groups] of queue.suspects) if (groups.length === 0) queue.suspects.delete(origin);
};

/** The next group of suspects: origins take turns. */
const takeSuspects = ({ suspects }: ApartQueue): Set<string> | undefined => {
  const [next] = suspects;
  if (next === undefined) return undefined;
  const [origin, groups] = next;
  const group = groups.shift();
  suspects.delete(origin);
  if (groups.length > 0) suspects.set(origin, groups);
  return group;
};

const takeGroup = (queue: ApartQueue): ReadonlySet<string> =>
  queue.joint.shift() ?? takeSuspects(queue) ?? queue.blamed.shift() ?? new Set();

/** The queue of pods that add nothing. */
const COMMON = '';

/** Pods that a plan may place: pending ones, and those of nodes on their way out. */
const placeablePods = ({ pendingPods, nodes }: ClusterSnapshot): readonly Pod[] => [
  ...pendingPods,
  ...nodes.flatMap(({ isMarkedForDeletion, pods }) => (isMarkedForDeletion ? pods : [])),
];

const idsOf = (pods: readonly Pod[]): ReadonlySet<string> => new Set(pods.map(podId));

/** The snapshot in which a plan may place these pods only. */
const placingOnly = (snapshot: ClusterSnapshot, isMeant: (pod: Pod) => boolean): ClusterSnapshot => ({
  ...snapshot,
  pendingPods: snapshot.pendingPods.filter(isMeant),
  nodes: snapshot.nodes.map((node) =>
    node.isMarkedForDeletion && !node.pods.every(isMeant) ? { ...node, pods: node.pods.filter(isMeant) } : node,
  ),
});

/** The same for a plan apart: of nodes on their way out only those with such pods count as more than names. */
const placingApart = (snapshot: ClusterSnapshot, ids: ReadonlySet<string>): ClusterSnapshot => {
  const isMeant = (pod: Pod): boolean => ids.has(podId(pod));
  const meant = placingOnly(snapshot, isMeant);
  const draining = meant.nodes.filter(({ isMarkedForDeletion, pods }) => isMarkedForDeletion && pods.length > 0);
  const byName = new Map(draining.map((node) => [node.name, node]));
  const apart = withPendingPodsOnly(meant);
  return { ...apart, nodes: apart.nodes.map((node) => byName.get(node.name) ?? node) };
};

/** What refusals say about pods and pools. */
interface RefusalDeps {
  readonly clock: Clock;
  readonly state: Pick<ClusterState, 'launches'>;
}

/**
 * Keeps a pod whose NodeClaims the API server refuses from taking others with it. The pods of a refused claim are
 * planned apart in the same pass. Namespace by namespace, then in smaller parts, until only the refused additions
 * remain. Such pods try other pools first, are held from the second refusal on, and are only planned apart until they
 * have a node. Namespaces take turns, and within them owners, so that many refused pods of one do not delay those of
 * others. A claim for pods that add nothing is the fault of its pool.
 */
export class ClaimRefusals {
  readonly #deps: RefusalDeps;
  /** By namespace; the one whose turn is next comes first. */
  readonly #queues = new Map<string, ApartQueue>();
  readonly #holds = new Map<string, Hold>();
  /** Pods of the last plan that were refused together with others, which add something else. */
  #refusedTogether: Pod[] = [];

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
  }

  get hasMore(): boolean {
    return this.#queues.size > 0 || this.#refusedTogether.length > 0;
  }

  /** The snapshot without pods that were refused alone, or are planned apart. */
  withoutSuspects(snapshot: ClusterSnapshot): ClusterSnapshot {
    this.#queueRefused();
    if (this.#holds.size === 0 && !this.hasMore) return snapshot;
    const pods = placeablePods(snapshot);
    const waiting = idsOf(pods);
    for (const id of this.#holds.keys()) if (!waiting.has(id)) this.#holds.delete(id);
    this.#dropGone(waiting);
    const apart = new Set([...this.#queues.values()].flatMap((queue) => groupListsOf(queue).flat()).flatMap((ids) => [...ids]));
    const nowMs = this.#deps.clock.now();
    const hasLapsed = (id: string): boolean => (this.#holds.get(id)?.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs;
    const lapsed = pods.filter((pod) => !apart.has(podId(pod)) && hasLapsed(podId(pod)));
    for (const group of groupsOf(lapsed).values()) this.#planApart('blamed', group);
    const isOut = (id: string): boolean => apart.has(id) || this.#holds.has(id);
    return placingOnly(snapshot, (pod) => !isOut(podId(pod)));
  }

  /** The snapshot for the next group that is planned apart. Undefined: there is none. */
  nextApart(snapshot: ClusterSnapshot): ClusterSnapshot | undefined {
    this.#queueRefused();
    this.#dropGone(idsOf(placeablePods(snapshot)));
    const [next] = this.#queues;
    if (next === undefined) return undefined;
    const [key, queue] = next;
    const ids = takeGroup(queue);
    this.#queues.delete(key);
    if (!isEmpty(queue)) this.#queues.set(key, queue);
    this.#holdAgain(ids);
    return placingApart(snapshot, ids);
  }

  /** Learns from a refusal. */
  add(refused: RefusedClaim): Blamed {
    const { pods } = refused.planned;
    const groups = groupsOf(pods);
    const blamed = blameOf(groups);
    if (blamed === 'pods') this.#blamePods(refused);
    else this.#planApart('joint', groups.get('') ?? [], COMMON);
    if (blamed === 'unknown')
      for (const [additions, group] of groups) if (additions !== '') for (const pod of group) this.#refusedTogether.push(pod);
    return blamed;
  }

  /** All refusals of a plan together: what claim a pod had says little about it. */
  #queueRefused(): void {
    const namespaces = [...groupsOf(this.#refusedTogether.splice(0), namespaceOf).values()];
    for (const pods of namespaces) {
      if (namespaces.length > 1) this.#planApart('joint', pods);
      else for (const part of splitSuspects(pods)) this.#planApart('suspects', part);
    }
  }

  /** Pods that add the same: they try another pool, then they wait. */
  #blamePods({ planned: { pods, nodePoolName }, error }: RefusedClaim): void {
    const times = 1 + highestOf(pods.map((pod) => this.#holds.get(podId(pod))?.times ?? 0));
    const isFirst = times === 1;
    if (isFirst) this.#deps.state.launches.troubled(nodePoolName);
    const longestMs = isAdmissionDenial(error) ? LONGEST_DENIED_MS : Number.POSITIVE_INFINITY;
    const holdMs = isFirst ? 0 : Math.min(longestMs, HOLDS_MS[Math.min(times - 1, HOLDS_MS.length) - 1] ?? 0);
    for (const pod of pods) this.#holds.set(podId(pod), { times, untilMs: this.#deps.clock.now() + holdMs });
    if (isFirst) this.#planApart('blamed', pods);
  }

  /** Pods that find no place although nothing is refused wait before they cost another plan. */
  #holdAgain(ids: ReadonlySet<string>): void {
    const untilMs = this.#deps.clock.now() + HOLDS_MS[0];
    for (const id of ids) {
      const hold = this.#holds.get(id);
      if (hold !== undefined) this.#holds.set(id, { ...hold, untilMs });
    }
  }

  #planApart(list: keyof ApartQueue, pods: readonly Pod[], common?: typeof COMMON): void {
    const [first] = pods;
    if (first === undefined) return;
    const isOfOne = (keyOf: (pod: Pod) => string): boolean => pods.every((pod) => keyOf(pod) === keyOf(first));
    const key = common ?? (isOfOne(namespaceOf) ? namespaceOf(first) : COMMON);
    const queue = getOrMake(this.#queues, key, () => ({ joint: [], suspects: new Map<string, Set<string>[]>(), blamed: [] }));
    const groups = list === 'suspects' ? getOrMake(queue.suspects, isOfOne(originOf) ? originOf(first) : MIXED, () => []) : queue[list];
    const [joint] = list === 'joint' ? groups : [];
    if (joint === undefined) groups.push(new Set(pods.map(podId)));
    else for (const pod of pods) joint.add(podId(pod));
  }

  /** Drops groups whose pods do not wait any more: they would cost a plan. */
  #dropGone(waiting: ReadonlySet<string>): void {
    for (const [key, queue] of this.#queues) {
      dropFrom(queue, waiting);
      if (isEmpty(queue)) this.#queues.delete(key);
    }
  }
}

/** Claims that were refused, and whose fault that is. */
interface Refusals {
  readonly refused: readonly RefusedClaim[];
  readonly blame: (refused: RefusedClaim) => Blamed;
}

/** Names pool and pods of each refused claim, and lets pools pause whose claims are refused whatever the pods add. */
export const reportRefusals = async (shell: Shell, { refused, blame }: Refusals, signal: AbortSignal): Promise<void> => {
  const { launches } = shell.state;
  // Before any of them counts as failed: claims of one plan say the same, and count once.
  for (const { claim } of refused) launches.asked(claim.metadata.name);
  for (const each of refused) {
    const { claim, planned } = each;
    const message = messageOf(each);
    const blamed = blame(each);
    // Only pods that wait for a place are to hear that it was refused.
    const pods = blamed === 'unknown' ? [] : planned.pods.filter(({ spec }) => spec.nodeName === undefined);
    shell.reporter.report({ kind: 'node-claim-invalid', planned: { ...planned, pods }, message });
    const isDenied = isAdmissionDenial(each.error);
    const outcome = { kind: 'failed', step: 'launched', cause: 'NodeClaimRefused', message, isDenied } as const;
    if (blamed === 'pool') await reportPool(shell, { claim, outcome }, signal);
  }
  for (const { claim } of refused) launches.gone(claim.metadata.name);
};

/** Creates the claims that the API server takes, then reports and remembers those that it refuses. */
export const createOrRefuse = async (
  shell: Shell,
  { creation, blame }: Pick<Refusals, 'blame'> & { readonly creation: Omit<ClaimCreation, 'onRefused'> },
  signal: AbortSignal,
): Promise<void> => {
  const refused: RefusedClaim[] = [];
  await createNodeClaims(shell, { ...creation, onRefused: (each) => void refused.push(each) }, signal);
  await reportRefusals(shell, { refused, blame }, signal);
};
