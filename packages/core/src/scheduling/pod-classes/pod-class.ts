import { compareText, memoByKey, sorting } from '../../base/index.ts';
import type { FieldProblem, Steps } from '../../base/index.ts';
import { addResources, amountIn } from '../../kube/index.ts';
import type { Pod, Resources } from '../../kube/index.ts';
import type { PodDevices } from '../devices/pod-devices.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { TooComplex } from '../rejection/rejection.ts';
import type { VolumeNeeds } from '../volumes/volume-reader.ts';
import type { ClassTerms, termReader } from './class-terms.ts';
import type { PodPreference } from './pod-preferences.ts';
import type { PodShape } from './pod-shape.ts';
import type { NodeTerm } from './node-term.ts';

/** Resources as small numbers: every vector of amounts in one solve is indexed by them. */
export interface ResourceTable {
  readonly names: readonly string[];
  readonly idOf: ReadonlyMap<string, number>;
}

/** Numbers cpu, memory and pods first, the other resources by name, and the slots of nodes last. */
export const resourceTable = (resources: Iterable<string>, slots: readonly string[]): ResourceTable => {
  const first = ['cpu', 'memory', 'pods'];
  const others = [...new Set(resources)].filter((name) => !first.includes(name)).sort();
  const names = [...first, ...others, ...slots];
  return { names, idOf: new Map(names.map((name, id) => [name, id])) };
};

/** What a pod takes of a place, by the numbers of resources. */
interface Needs {
  /** The resources that the pod requests, and the amount of each. Requests of zero are left out. */
  readonly resourceIds: Int32Array;
  readonly amounts: Float64Array;
  /** A resource that no node and no instance type has. */
  readonly unknownResource: string | undefined;
}

/** Pods that are equal to the solver, in the numbers of one solve. */
export interface PodClass extends ClassTerms, Needs {
  readonly id: number;
  readonly shape: PodShape;
  /** The preferences that count under the policy, the heaviest first. */
  readonly preferences: readonly PodPreference[];
  /** Absent: the class has no topology constraints, and no constraint of another pod selects it. */
  readonly topology: ClassTopology | undefined;
  /** Why the pod goes nowhere, whatever there is. */
  readonly problem: FieldProblem | TooComplex | undefined;
  /** The devices that it claims; absent: none. */
  readonly devices: PodDevices | undefined;
  /** Volumes that take one slot of a node for all the pods there that use them; absent where there are none. */
  readonly shared: readonly SharedSlot[] | undefined;
}

/** A volume that several pods use, and the number of the slot that it takes on each of their nodes. */
export interface SharedSlot {
  readonly claim: string;
  readonly resource: number;
}

/** What makes a class, beside its shape. */
interface ClassTraits {
  readonly id: number;
  readonly topology: ClassTopology | undefined;
  readonly volumes: VolumeNeeds;
  readonly devices: PodDevices | undefined;
  /** What the pod takes beside its requests. */
  readonly slots: Resources;
}

/** How classes are made: what counts under the policy, and what resources there are. */
interface ClassRules {
  readonly resources: ResourceTable;
  readonly respectsPreferences: boolean;
  readonly termsOf: ReturnType<typeof termReader>;
  readonly needsOf: ReturnType<typeof needsReader>;
  readonly slotOfDriver: (driver: string) => string | undefined;
}

const sharedSlots = ({ shared }: VolumeNeeds, { resources, slotOfDriver }: ClassRules): readonly SharedSlot[] | undefined => {
  const slots = shared.flatMap(({ claim, driver }) => {
    const resource = resources.idOf.get(slotOfDriver(driver) ?? '');
    return resource === undefined ? [] : [{ claim, resource }];
  });
  return slots.length === 0 ? undefined : slots;
};

const needs = (wanted: Resources, { idOf }: ResourceTable): Needs => {
  const some = Object.entries(wanted).filter(([, amount]) => amount > 0);
  const known = some
    .flatMap(([name, amount]) => {
      const resource = idOf.get(name);
      return resource === undefined ? [] : [{ resource, amount }];
    })
    .sort((a, b) => a.resource - b.resource);
  return {
    resourceIds: Int32Array.from(known, ({ resource }) => resource),
    amounts: Float64Array.from(known, ({ amount }) => amount),
    unknownResource: some.find(([name]) => !idOf.has(name))?.[0],
  };
};

/** Requests and slots → what they come to. Remembered by the requests, for few classes take slots, and many share a size. */
export const needsReader = (resources: ResourceTable): ((requests: Resources, slots: Resources) => Needs) => {
  const bare = memoByKey((requests: Resources) => needs(requests, resources));
  return (requests, slots) => (Object.keys(slots).length > 0 ? needs(addResources(requests, slots), resources) : bare(requests));
};

const NO_PREFERENCES: readonly PodPreference[] = [];

export const podClass = (shape: PodShape, { id, topology, volumes, devices, slots }: ClassTraits, rules: ClassRules): PodClass => {
  const ofTerms = rules.termsOf(shape, volumes);
  const { resourceIds, amounts, unknownResource } = rules.needsOf(shape.requests, slots);
  const problem = shape.problem ?? volumes.problem ?? devices?.problem;
  const shared = sharedSlots(volumes, rules);
  const preferences = rules.respectsPreferences ? shape.preferences.kept : NO_PREFERENCES;
  return { ...ofTerms, id, shape, preferences, topology, problem, devices, shared, resourceIds, amounts, unknownResource };
};

/** The members of one class that want a place, in the order in which they get one: by priority, then by age. */
export interface PodSet {
  readonly podClass: PodClass;
  readonly pods: readonly Pod[];
  /** Instead of those of the class: fewer nodes are good enough. */
  readonly terms?: readonly NodeTerm[];
  /** Virtual pods of CapacityBuffers: they come last, and no other pod gives way to them. */
  readonly isBuffer?: true;
}

/** How many pods the sets have together. */
export const podCountOf = (podSets: readonly PodSet[]): number => podSets.reduce((total, { pods }) => total + pods.length, 0);

/** Some milliseconds of pods that were never read before and are all of other classes. */
const PODS_A_STEP = 64;

/** Pods of known classes between two pauses. */
const SORTED_A_STEP = 2048;

/** So many groups that count or refuse pods of a class take as long to find as another pod to read. */
const GROUPS_A_POD = 16;

const groupsOf = ({ topology }: PodClass): number =>
  topology === undefined
    ? 0
    : topology.countedBy.length + topology.required.host.antiAffinity.length + topology.required.wide.antiAffinity.length;

const byAge = (a: Pod, b: Pod): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareText(a.metadata.uid ?? '', b.metadata.uid ?? '') ||
  compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
  compareText(a.metadata.name, b.metadata.name);

/** The pod's priority; 0, as in Kubernetes, where it has none. */
export const priorityOf = ({ spec: { priority } }: Pod): number => (Number.isFinite(priority) ? (priority ?? 0) : 0);

/** The pod set with pods of higher priority first, otherwise in the order that they come in. */
const withPriorityFirst = (podSet: PodSet): PodSet => {
  const { pods } = podSet;
  const [first] = pods;
  if (first === undefined || pods.every((pod) => pod.spec.priority === first.spec.priority)) return podSet;
  return { ...podSet, pods: pods.toSorted((a, b) => priorityOf(b) - priorityOf(a)) };
};

/** A pod set, its pods of higher priority first, with what it is sorted by, read once instead of at each comparison. */
interface Claimant {
  readonly podSet: PodSet;
  readonly oldest: Pod | undefined;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

const claimantOf = (podSet: PodSet): Claimant => {
  const { requests } = podSet.podClass.shape;
  const [oldest] = podSet.pods;
  return { podSet: withPriorityFirst(podSet), oldest, cpuMillis: amountIn(requests, 'cpu'), memoryBytes: amountIn(requests, 'memory') };
};

const byNeed = (a: Claimant, b: Claimant): number => {
  const needs = b.cpuMillis - a.cpuMillis || b.memoryBytes - a.memoryBytes;
  return needs || (a.oldest === undefined || b.oldest === undefined ? 0 : byAge(a.oldest, b.oldest));
};

/**
 * Pods by class, the largest first: cpu, then memory, then the class with the oldest pod.
 * Differs: the original orders pods of one size by age alone; here equal pods stay together.
 */
export function* gatheringPodSets(pods: readonly Pod[], classOf: (pod: Pod) => PodClass): Steps<readonly PodSet[]> {
  const byClass = new Map<PodClass, Pod[]>();
  let read = 0;
  for (const pod of pods) {
    const podClass = classOf(pod);
    const members = byClass.get(podClass);
    if (members === undefined) byClass.set(podClass, [pod]);
    else members.push(pod);
    read += members === undefined ? 1 + groupsOf(podClass) / GROUPS_A_POD : 1;
    if (read < PODS_A_STEP) continue;
    read = 0;
    yield;
  }
  yield;
  const claimants: Claimant[] = [];
  let sorted = 0;
  for (const [podClass, members] of byClass) {
    claimants.push(claimantOf({ podClass, pods: yield* sorting(members, byAge) }));
    sorted += members.length;
    if (sorted < SORTED_A_STEP) continue;
    sorted = 0;
    yield;
  }
  const inOrder = yield* sorting(claimants, byNeed);
  return inOrder.map(({ podSet }) => podSet);
}
