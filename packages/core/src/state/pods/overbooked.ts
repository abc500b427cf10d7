import { addResources, fits, podRequests, podSpecProblem, subtractResources, sumResources } from '../../kube/index.ts';
import type { Pod, PodSpec, Resources } from '../../kube/index.ts';

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

const NOTHING: Resources = {};
/** By spec, which equal pods share. What cannot be read takes no room: it is named where pods are planned. */
const known = new WeakMap<PodSpec, Resources>();

const requestsOf = (pod: Pod): Resources => {
  const before = known.get(pod.spec);
  if (before !== undefined) return before;
  const fresh = podSpecProblem(pod.spec) === undefined ? podRequests(pod) : NOTHING;
  known.set(pod.spec, fresh);
  return fresh;
};

/** The pod's requests that the node must have room for. */
const neededOf = (requests: Resources, { allocatable, isOfDevices }: BookedRoom): Resources =>
  isOfDevices === undefined
    ? requests
    : Object.fromEntries(Object.entries(requests).filter(([name]) => name in allocatable || !isOfDevices(name)));

/**
 * The nominated pods without room beside those that run there and those nominated before them: kube-scheduler gave it
 * to others, or the node has less than was planned. Costs one addition per pod.
 */
export const overbookedIn = (room: BookedRoom): readonly Pod[] => {
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
