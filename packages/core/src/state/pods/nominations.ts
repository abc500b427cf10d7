import type { NodeClaim } from '../../apis/index.ts';
import { getOrMake, highestOf } from '../../base/index.ts';
import { addResources, fits, podRequests, podSpecProblem, subtractResources, sumResources } from '../../kube/index.ts';
import type { Pod, PodSpec, Resources } from '../../kube/index.ts';
import type { MachineKey } from '../machines/machine-index.ts';

interface Nomination {
  readonly machine: MachineKey;
  /** Epoch ms; undefined while the machine is still coming up. */
  readonly untilMs: number | undefined;
}

/**
 * Which machine each pod is nominated for. A nominated pod is not planned again, and its room is not given to another.
 * A nomination ends when the pod runs or goes, when the machine goes, or some time after the machine came up.
 */
export class Nominations {
  readonly #byPod = new Map<string, Nomination>();
  readonly #byMachine = new Map<MachineKey, Set<string>>();

  /** Without `untilMs` the nomination lasts until `startExpiry`. */
  nominate(podId: string, machine: MachineKey, untilMs?: number): void {
    this.release(podId);
    this.#byPod.set(podId, { machine, untilMs });
    this.#byMachine.set(machine, (this.#byMachine.get(machine) ?? new Set()).add(podId));
  }

  release(podId: string): void {
    const nomination = this.#byPod.get(podId);
    if (nomination === undefined) return;
    this.#byPod.delete(podId);
    const pods = this.#byMachine.get(nomination.machine);
    pods?.delete(podId);
    if (pods?.size === 0) this.#byMachine.delete(nomination.machine);
  }

  releaseAll(machine: MachineKey): void {
    for (const pod of [...this.podsFor(machine)]) this.release(pod);
  }

  /** The machine is up: nominations without an end get one. */
  startExpiry(machine: MachineKey, untilMs: number): void {
    for (const pod of [...this.podsFor(machine)]) {
      if (this.#byPod.get(pod)?.untilMs === undefined) this.#byPod.set(pod, { machine, untilMs });
    }
  }

  /** Ends nominations whose time is over. Returns the machines concerned. */
  expire(nowMs: number): ReadonlySet<MachineKey> {
    const concerned = new Set<MachineKey>();
    for (const [pod, { machine, untilMs }] of [...this.#byPod]) {
      if (untilMs === undefined || nowMs < untilMs) continue;
      this.release(pod);
      concerned.add(machine);
    }
    return concerned;
  }

  machineOf(podId: string): MachineKey | undefined {
    return this.#byPod.get(podId)?.machine;
  }

  /** When the last nomination for the machine ends (epoch ms); Infinity while it comes up; undefined without any. */
  latestEnd(machine: MachineKey): number | undefined {
    const ends = [...this.podsFor(machine)].map((pod) => this.#byPod.get(pod)?.untilMs ?? Number.POSITIVE_INFINITY);
    return ends.length === 0 ? undefined : highestOf(ends);
  }

  podsFor(machine: MachineKey): ReadonlySet<string> {
    return this.#byMachine.get(machine) ?? new Set();
  }

  machines(): Iterable<MachineKey> {
    return this.#byMachine.keys();
  }
}

/**
 * On a NodeClaim: the uids of the pods that it was made for, comma-separated. A controller that restarts knows by it
 * which pods are already taken care of, and creates no second machine for them. Differs: the original forgets at a
 * restart, and plans such pods again. Pods beyond `MOST_PLANNED_PODS` do not count: whoever may write claims could name
 * those of the whole cluster.
 */
export const PLANNED_PODS_ANNOTATION = 'karpenter.sh/planned-pods';

/** More than any kubelet takes. */
const MOST_PLANNED_PODS = 1000;

export const plannedPodsOf = ({ metadata: { annotations } }: NodeClaim): readonly string[] =>
  (annotations?.[PLANNED_PODS_ANNOTATION] ?? '').split(',', MOST_PLANNED_PODS).filter((id) => id !== '');

/** The room of a node that is up, and the pods that share it. */
export interface BookedRoom {
  readonly allocatable: Resources;
  /** Those that run there. */
  readonly bound: readonly Pod[];
  /** Those nominated for it, the first nomination first. */
  readonly coming: readonly Pod[];
  /** Whether devices meet requests for an extended resource that the node does not have. Default: for none. */
  readonly isOfDevices?: (resource: string) => boolean;
}

/** By spec, which equal pods share. What cannot be read takes no room: it is named where pods are planned. */
const known = new WeakMap<PodSpec, Resources>();

const requestsOf = (pod: Pod): Resources =>
  getOrMake(known, pod.spec, (spec) => (podSpecProblem(spec) === undefined ? podRequests(pod) : {}));

/** The pod's requests that the node must have room for. */
const neededOf = (requests: Resources, { allocatable, isOfDevices }: BookedRoom): Resources =>
  isOfDevices === undefined
    ? requests
    : Object.fromEntries(Object.entries(requests).filter(([name]) => Object.hasOwn(allocatable, name) || !isOfDevices(name)));

/**
 * The nominated pods without room beside the pods that run there and those nominated earlier. kube-scheduler placed
 * others there, or the node has less than was planned. Costs one addition per pod.
 */
export const overbookedPods = (room: BookedRoom): readonly Pod[] => {
  const { allocatable, bound, coming } = room;
  if (coming.length === 0) return [];
  let taken = sumResources(bound.map(requestsOf));
  return coming.filter((pod) => {
    const wanted = neededOf(requestsOf(pod), room);
    if (!fits(wanted, subtractResources(allocatable, taken))) return true;
    taken = addResources(taken, wanted);
    return false;
  });
};
