import { compareText, getOrMake, itemAt, memoByKey } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { namespacedNameOf, namespaceOf } from '../../kube/index.ts';
import type { DaemonSet, Pod, PodSpec } from '../../kube/index.ts';
import { isReadable } from '../pod-classes/pod-shape.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import type { Rejection } from '../rejection/rejection.ts';
import {
  hasPodConstraints,
  isCrowded,
  labelKeysReadBy,
  labelKeysTakenOver,
  mostSelectedBy,
  topologyKeysReadBy,
} from '../topology/constrained-pods.ts';
import { PodCensus } from '../topology/pod-matcher.ts';
import { domainWork, largestPart, podWork, workOfLarge } from './pod-work.ts';
import type { MachineDomains } from './pod-work.ts';
import type { ClusterSnapshot, LeftOut } from '../../cluster/index.ts';

/** Most units of one pod group; a pod beyond is refused by name. About 0.3 s. */
export const MOST_OF_A_POD = 100_000;
/** Pods up to here are ordinary; those beyond are planned last. About 6 ms. */
export const ORDINARY_POD = 2_000;
/** Units of pods planned last in one plan: about 0.1 s. One pod group is always planned. */
export const LATE_WORK = 30_000;
/** The same for the pods of nodes that a question takes away: about 0.3 s, so that a node with some such pods can go. */
const MOVED_WORK = 100_000;
/** Units of ordinary pod groups in one plan, shared by namespaces once they want more together: about 0.6 s. */
export const ORDINARY_WORK = 200_000;

/** Which pods come first and last, and which not at all. */
export interface WorkOrder {
  /** Pods that are planned last. */
  readonly late: ReadonlySet<Pod>;
  /** Ordinary pods that the last plan left: these are planned first. */
  readonly first: ReadonlySet<Pod>;
  readonly rejections: readonly Rejection[];
  /** Pods that wait for the next plan, in the order in which they are due. */
  readonly postponed: readonly Pod[];
}

/** The pods that one plan considers. */
export interface BudgetedPods extends WorkOrder {
  /** In the order of the snapshot. */
  readonly pods: readonly Pod[];
}

/** Pods of one shape and with the same terms in one namespace. */
interface Group {
  readonly namespace: string;
  units: number;
  readonly pods: Pod[];
  /** Its place among the pods that the last plan postponed. */
  turn: number;
}

/** What the budget reads pods with. */
export interface PodReading {
  readonly shapeOf: (spec: Pod['spec']) => PodShape;
  /** Units of the volumes of a pod, which its spec does not say. */
  readonly volumeWorkOf: (pod: Pod) => number;
  readonly domains: MachineDomains;
}

/** What the budget of a plan depends on. */
export interface BudgetContext extends PodReading {
  /** What the last plan postponed: these come first. */
  readonly postponed: readonly Pod[];
  /** Which share of the usual work may be done. */
  readonly portion: number;
}

/** Units for the pods of one plan. */
interface WorkLimits {
  readonly late: number;
  readonly ordinary: number;
}

const OF_A_PLAN: WorkLimits = { late: LATE_WORK, ordinary: ORDINARY_WORK };

/** The turn of pods that the last plan did not leave. */
const NO_TURN = Number.MAX_SAFE_INTEGER;

const keyOf = ({ metadata }: Pod): string => metadata.uid ?? namespacedNameOf(metadata);

/** The oldest first, ties by a key that no other has. */
const byAgeThen =
  <T extends Pod | DaemonSet>(key: (object: T) => string) =>
  (one: T, other: T): number =>
    compareText(one.metadata.creationTimestamp ?? '', other.metadata.creationTimestamp ?? '') || compareText(key(one), key(other));

const byAge = byAgeThen(keyOf);

/** Groups that waited first, then the cheapest, then the oldest. */
const inTurn = (groups: readonly Group[]): readonly Group[] =>
  groups
    .map((group) => ({ group, oldest: group.pods.reduce((one, other) => (byAge(one, other) > 0 ? other : one)) }))
    .sort((a, b) => a.group.turn - b.group.turn || a.group.units - b.group.units || byAge(a.oldest, b.oldest))
    .map(({ group }) => group);

/** Groups in their turn, one of each namespace after another: a namespace waits for others only as often as they wait for it. */
const inRounds = (groups: readonly Group[]): readonly Group[] => {
  const rounds: Group[][] = [];
  const counts = new Map<string, number>();
  for (const group of inTurn(groups)) {
    const round = counts.get(group.namespace) ?? 0;
    counts.set(group.namespace, round + 1);
    (rounds[round] ??= []).push(group);
  }
  return rounds.flat();
};

/** Groups while the budget lasts, in their order; the first of all in any case. */
const within = (ordered: readonly Group[], budget: number): { readonly taken: readonly Group[]; readonly left: readonly Group[] } => {
  const taken: Group[] = [];
  const left: Group[] = [];
  let spent = 0;
  for (const group of ordered) {
    if (taken.length > 0 && spent + group.units > budget) left.push(group);
    else {
      taken.push(group);
      spent += group.units;
    }
  }
  return { taken, left };
};

const unitsOf = (groups: readonly Group[]): number => groups.reduce((sum, { units }) => sum + units, 0);

/** Ordinary groups by namespace, the namespaces with the least work first. */
const byNamespace = (groups: readonly Group[]): readonly (readonly Group[])[] =>
  [...Map.groupBy(groups, ({ namespace }) => namespace)]
    .sort(([a, one], [b, other]) => unitsOf(one) - unitsOf(other) || compareText(a, b))
    .map(([, own]) => own);

/**
 * Groups that their namespace's share does not reach: namespaces with little work leave what they do not need to the
 * others.
 */
const beyondShares = (groups: readonly Group[], { work, portion }: { work: number; portion: number }): readonly Group[] => {
  const namespaces = byNamespace(groups);
  let budget = work * portion;
  if ((namespaces.length < 2 && portion === 1) || unitsOf(groups) <= budget) return [];
  return namespaces.flatMap((own, index) => {
    const { taken, left } = within(inTurn(own), budget / (namespaces.length - index));
    budget -= unitsOf(taken);
    return left;
  });
};

/** Pods that are not read yet cost most: so many units are read without a pause. */
const UNITS_A_STEP = 2_000;

/** Volumes up to here go without saying: a pod with more is a group of its own, because its volumes are its own. */
const ORDINARY_VOLUMES = 256;

const NO_PODS: ReadonlySet<Pod> = new Set();

/** Units of a pod and of the domains that it chooses among, which refuse no pod: they are bounded by the machines. */
const unitsOfPod = ({ spec }: Pod, domains: MachineDomains): number => {
  const units = podWork(spec);
  if (units === 0 || !hasPodConstraints(spec)) return units;
  return Math.max(units, Math.min(MOST_OF_A_POD, units + domainWork(spec, topologyKeysReadBy, domains)));
};

/** The groups of one shape, and the pod labels that set them apart. */
interface GroupsOfShape {
  readonly keys: readonly string[];
  /** By the namespace and the values of the keys. */
  readonly groups: Map<string, Group>;
}

const groupsOfShape = (shape: PodShape, { spec }: Pod): GroupsOfShape => ({
  keys: hasPodConstraints(spec) && isReadable(shape) ? labelKeysTakenOver(spec) : [],
  groups: new Map(),
});

/** Pods by shape, namespace and terms. */
class Groups {
  readonly #domains: MachineDomains;
  readonly #known = new Map<PodShape, GroupsOfShape>();
  readonly #alone: Group[] = [];

  constructor(domains: MachineDomains) {
    this.#domains = domains;
  }

  add(pod: Pod, shape: PodShape, volumeUnits: number): Group {
    const namespace = namespaceOf(pod);
    if (volumeUnits > ORDINARY_VOLUMES) {
      const own = unitsOfPod(pod, this.#domains);
      // The volumes themselves are judged by what they come to, once the pod has its turn.
      const units = Math.min(own + volumeUnits, Math.max(own, MOST_OF_A_POD));
      const alone: Group = { namespace, units, pods: [pod], turn: NO_TURN };
      this.#alone.push(alone);
      return alone;
    }
    const { keys, groups } = getOrMake(this.#known, shape, () => groupsOfShape(shape, pod));
    const { labels = {} } = pod.metadata;
    const key = keys.length === 0 ? namespace : JSON.stringify([namespace, ...keys.map((label) => labels[label])]);
    const found = getOrMake(groups, key, (): Group => ({ namespace, units: unitsOfPod(pod, this.#domains), pods: [], turn: NO_TURN }));
    found.pods.push(pod);
    return found;
  }

  all(): readonly Group[] {
    return [...this.#alone, ...[...this.#known.values()].flatMap(({ groups }) => [...groups.values()])];
  }
}

/** Of any of its pods: they share a shape. */
const specOfGroup = ({ pods }: Group): PodSpec => itemAt(pods, 0).spec;

/** Units of a pod that a term selects: it is counted in the groups of all terms that select it. */
const UNITS_A_SELECTED_POD = 0.3;
/** So few pod groups with terms are no crowd. */
const FEW_CHOOSY = 100;

/** Of so many pods the labels are read without a pause: each may have thousands. */
const PODS_A_STEP = 32;

/** How many pods have each label that a group's terms read. */
function* takingCensus(groups: readonly Group[], pods: readonly Pod[]): Steps<PodCensus> {
  const census = new PodCensus(new Set(groups.flatMap((group) => labelKeysReadBy(specOfGroup(group)))));
  for (const [index, pod] of pods.entries()) {
    census.add(pod);
    if (index % PODS_A_STEP === 0) yield;
  }
  return census;
}

/**
 * Charges the groups of crowded namespaces for the pods that they select. Of thousands of pods that exclude each
 * other each costs little, all together the square. An ordinary group stays one.
 */
function* chargingCrowds(groups: readonly Group[], pods: readonly Pod[]): Steps<void> {
  const choosy = groups.filter((group) => group.units > 0 && group.units <= ORDINARY_POD && hasPodConstraints(specOfGroup(group)));
  if (choosy.length < FEW_CHOOSY) return;
  const census = yield* takingCensus(choosy, pods);
  for (const own of byNamespace(choosy)) {
    yield;
    const selected = own.map((group) => mostSelectedBy(specOfGroup(group), group.namespace, census));
    const { namespace } = itemAt(own, 0);
    const inAll = selected.reduce((sum, each) => sum + each, 0);
    if (!isCrowded(inAll, census.podsIn(namespace))) continue;
    own.forEach((group, index) => {
      group.units = Math.min(ORDINARY_POD, group.units + Math.ceil(itemAt(selected, index) * UNITS_A_SELECTED_POD));
    });
  }
}

function* grouping(pods: readonly Pod[], { shapeOf, volumeWorkOf, domains, postponed }: BudgetContext): Steps<readonly Group[]> {
  const turns = new Map(postponed.map((pod, turn) => [keyOf(pod), turn]));
  const groups = new Groups(domains);
  let read = 0;
  for (const pod of pods) {
    const group = groups.add(pod, shapeOf(pod.spec), volumeWorkOf(pod));
    if (turns.size > 0) group.turn = Math.min(group.turn, turns.get(keyOf(pod)) ?? group.turn);
    read += 10 + group.units / 2;
    if (read < UNITS_A_STEP) continue;
    read = 0;
    yield;
  }
  const all = groups.all();
  yield* chargingCrowds(all, pods);
  return all;
}

const refusals = ({ units, pods }: Group): readonly Rejection[] =>
  pods.map((pod) => ({ pod, reason: { kind: 'too-complex', units, most: MOST_OF_A_POD, largest: largestPart(pod.spec) } }));

/**
 * Chooses the pods of one plan by their cost. Pods beyond `MOST_OF_A_POD` are refused. Pods beyond `ORDINARY_POD` are
 * planned last, as many as `LATE_WORK` allows. No namespace takes the share of another. What is left waits for the
 * next plan, which begins with it.
 */
export function* budgeting(pods: readonly Pod[], context: BudgetContext, limits = OF_A_PLAN): Steps<BudgetedPods> {
  const groups = yield* grouping(pods, context);
  const rejections = groups.filter(({ units }) => units > MOST_OF_A_POD).flatMap(refusals);
  const ordinary = groups.filter(({ units }) => units <= ORDINARY_POD);
  const costly = groups.filter(({ units }) => units > ORDINARY_POD && units <= MOST_OF_A_POD);
  const late = within(inRounds(costly), limits.late * context.portion);
  const left = [...late.left, ...beyondShares(ordinary, { work: limits.ordinary, portion: context.portion })];
  const postponed = left.flatMap((group) => group.pods);
  const isOut = new Set([...postponed, ...rejections.map(({ pod }) => pod)]);
  return {
    pods: isOut.size === 0 ? pods : pods.filter((pod) => !isOut.has(pod)),
    first: new Set(ordinary.filter(({ turn }) => turn < NO_TURN).flatMap((group) => group.pods)),
    late: new Set(late.taken.flatMap((group) => group.pods)),
    rejections: [...rejections, ...postponed.map((pod): Rejection => ({ pod, reason: { kind: 'postponed' } }))],
    postponed,
  };
}

/** The order of two lists of pods together; the very one where the other has nothing special. */
export const joinedOrder = (one: WorkOrder, other: WorkOrder): WorkOrder =>
  other.late.size + other.first.size + other.rejections.length === 0
    ? one
    : {
        late: new Set([...one.late, ...other.late]),
        first: new Set([...one.first, ...other.first]),
        rejections: [...one.rejections, ...other.rejections],
        postponed: [...one.postponed, ...other.postponed],
      };

/**
 * Chooses among the pods of nodes that a question takes away. Ordinary pods are all considered: a node has few of them.
 * Of those that cost more, as many as `MOVED_WORK` allows, whatever the last plan left.
 */
export function* budgetingMoved(pods: readonly Pod[], reading: PodReading): Steps<BudgetedPods> {
  const isCostly = (pod: Pod): boolean => unitsOfPod(pod, reading.domains) + reading.volumeWorkOf(pod) > ORDINARY_POD;
  if (!pods.some(isCostly)) return { pods, late: NO_PODS, first: NO_PODS, rejections: [], postponed: [] };
  const limits = { late: MOVED_WORK, ordinary: Number.POSITIVE_INFINITY };
  return yield* budgeting(pods, { ...reading, postponed: [], portion: 1 }, limits);
}

const refusedShape = (spec: PodSpec, units: number): PodShape => ({
  size: '',
  frame: '',
  requests: {},
  relaxationOrder: [],
  preferences: { kept: [], cutCount: 0 },
  preferred: [],
  byName: [],
  problem: {
    field: 'spec',
    value: largestPart(spec),
    problem: `would take ${units} units of planning, at most ${MOST_OF_A_POD} are spent on a pod`,
  },
});

/**
 * Reads specs, each once for a solve: budget, slots, topology and classes all ask for the same. A spec that would cost
 * too much is not read: its pods are refused, and count for no other pod.
 */
export const boundedShapes = (shapeOf: (spec: PodSpec) => PodShape): ((spec: PodSpec) => PodShape) =>
  memoByKey((spec) => {
    const units = workOfLarge(spec);
    return units > MOST_OF_A_POD ? refusedShape(spec, units) : shapeOf(spec);
  });

/** Most units of one DaemonSet; beyond, nodes are planned as if it were not there. About 60 ms. */
const MOST_OF_A_DAEMON_SET = 20_000;
/** Most units of all DaemonSets together: about 0.6 s. More than a thousand ordinary ones. */
const DAEMON_WORK = 200_000;
/** Each node selector term is compared with each instance type. */
const UNITS_A_TERM = 150;

/** What is malformed costs nothing: such a DaemonSet is left out later. */
const termsOf = ({ affinity }: Partial<PodSpec>): number => {
  const terms: unknown = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return Array.isArray(terms) ? Math.max(1, terms.length) : 1;
};

/** A DaemonSet may have any shape here. */
const specOf = (daemonSet: DaemonSet): PodSpec => {
  const { spec } = daemonSet as { readonly spec?: { readonly template?: { readonly spec?: PodSpec | null } | null } | null };
  return spec?.template?.spec ?? { containers: [] };
};

const workOf = (daemonSet: DaemonSet): number => podWork(specOf(daemonSet)) + termsOf(specOf(daemonSet)) * UNITS_A_TERM;

const nameOf = ({ metadata }: DaemonSet): string => namespacedNameOf(metadata);

/** Those that came later cannot take the place of others. */
const byAgeOfSet = byAgeThen(nameOf);

const tooComplex = (daemonSet: DaemonSet, units: number, problem: string): LeftOut => ({
  kind: 'DaemonSet',
  name: nameOf(daemonSet),
  problem: {
    field: 'spec.template.spec',
    value: largestPart(specOf(daemonSet)),
    problem: `costs ${Math.round(units)} units of planning; ${problem}`,
  },
});

/** The snapshot with as many DaemonSets as one plan has work for, the oldest first. The others are named in `leftOut`. */
export const withBoundedDaemons = (snapshot: ClusterSnapshot): ClusterSnapshot => {
  const leftOut: LeftOut[] = [];
  const out = new Set<DaemonSet>();
  let spent = 0;
  for (const daemonSet of [...snapshot.daemonSets].sort(byAgeOfSet)) {
    const units = workOf(daemonSet);
    const isTooLarge = units > MOST_OF_A_DAEMON_SET;
    if (!isTooLarge && spent + units <= DAEMON_WORK) {
      spent += units;
      continue;
    }
    out.add(daemonSet);
    const limit = isTooLarge
      ? `at most ${MOST_OF_A_DAEMON_SET} are spent on a DaemonSet`
      : `older DaemonSets take the ${DAEMON_WORK} that are spent on all`;
    leftOut.push(tooComplex(daemonSet, units, limit));
  }
  if (out.size === 0) return snapshot;
  const daemonSets = snapshot.daemonSets.filter((each) => !out.has(each));
  return { ...snapshot, daemonSets, leftOut: [...(snapshot.leftOut ?? []), ...leftOut] };
};
