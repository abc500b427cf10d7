import { compareText, chunksOf, sorting } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { PodClass } from './pod-class.ts';
import type { Rung } from './rung.ts';

/** The members of one class that want a place, in the order in which they get one: by priority, then by age. */
export interface Demand {
  readonly podClass: PodClass;
  readonly pods: readonly Pod[];
  /** Instead of those of the class: fewer nodes are good enough. */
  readonly rungs?: readonly Rung[];
  /** Virtual pods of CapacityBuffers: they come last, and no other pod gives way to them. */
  readonly isBuffer?: true;
}

/** About a millisecond of pods that were never read before. */
const PODS_A_STEP = 256;

const byAge = (a: Pod, b: Pod): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareText(a.metadata.uid ?? '', b.metadata.uid ?? '') ||
  compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
  compareText(a.metadata.name, b.metadata.name);

/** A demand with what it is sorted by, read once instead of at each comparison. */
interface Claimant {
  readonly demand: Demand;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

const claimantOf = (demand: Demand): Claimant => {
  const { requests } = demand.podClass.shape;
  return { demand, cpuMillis: requests['cpu'] ?? 0, memoryBytes: requests['memory'] ?? 0 };
};

const byNeed = (a: Claimant, b: Claimant): number => {
  const needs = b.cpuMillis - a.cpuMillis || b.memoryBytes - a.memoryBytes;
  const [oldestOfA, oldestOfB] = [a.demand.pods[0], b.demand.pods[0]];
  return needs || (oldestOfA === undefined || oldestOfB === undefined ? 0 : byAge(oldestOfA, oldestOfB));
};

/** The pod's priority; 0, as in Kubernetes, where it has none. */
export const priorityOf = ({ spec: { priority } }: Pod): number => (Number.isFinite(priority) ? (priority ?? 0) : 0);

/** The demand with pods of higher priority first, otherwise in the order that they come in. */
const withPriorityFirst = (demand: Demand): Demand => {
  const { pods } = demand;
  const [first] = pods;
  if (first === undefined || pods.every((pod) => pod.spec.priority === first.spec.priority)) return demand;
  return { ...demand, pods: pods.toSorted((a, b) => priorityOf(b) - priorityOf(a)) };
};

/**
 * Pods by class, the largest first: cpu, then memory, then the class with the oldest pod.
 * Differs: the original orders pods of one size by age alone; here equal pods stay together.
 */
export function* gatheringDemands(pods: readonly Pod[], classOf: (pod: Pod) => PodClass): Steps<readonly Demand[]> {
  const byClass = new Map<PodClass, Pod[]>();
  for (const chunk of chunksOf(pods, PODS_A_STEP)) {
    for (const pod of chunk) {
      const podClass = classOf(pod);
      const members = byClass.get(podClass);
      if (members === undefined) byClass.set(podClass, [pod]);
      else members.push(pod);
    }
    yield;
  }
  const claimants: Claimant[] = [];
  for (const [podClass, members] of byClass) {
    claimants.push(claimantOf({ podClass, pods: yield* sorting(members, byAge) }));
    if (claimants.length % PODS_A_STEP === 0) yield;
  }
  const sorted = yield* sorting(claimants, byNeed);
  return sorted.map(({ demand }) => withPriorityFirst(demand));
}
