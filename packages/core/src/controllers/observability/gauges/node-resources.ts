import { memoByObject } from '../../../base/index.ts';
import type { NodeView } from '../../../cluster/index.ts';
import { isDaemonPod, podLimits, podRequests, podSpecProblem, sumResources } from '../../../kube/index.ts';
import type { Pod, Resources } from '../../../kube/index.ts';

/** What a node has, and what the pods that are bound to it have asked for. */
export interface NodeResources {
  readonly allocatable: Resources;
  /** Of all pods, daemon pods included. */
  readonly podRequests: Resources;
  readonly daemonRequests: Resources;
  /** What all pods are held to, as far as they name limits, and their number; daemon pods included. */
  readonly podLimits: Resources;
  readonly daemonLimits: Resources;
  /** What the machine has and its node keeps back. */
  readonly systemOverhead: Resources;
}

const withoutZeros = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount !== 0));

const keptBack = ({ capacity, allocatable }: NodeView): Resources =>
  Object.fromEntries(Object.entries(capacity).map(([name, amount]) => [name, Math.max(0, amount - (allocatable[name] ?? 0))]));

/** The limits of pods, and how many pods there are. */
const limitsOf = (pods: readonly Pod[]): Resources => withoutZeros({ ...sumResources(pods.map(podLimits)), pods: pods.length });

const summed = (view: NodeView): NodeResources => {
  const { name, allocatable, pods } = view;
  const bound = pods.filter(({ spec }) => spec.nodeName === name && podSpecProblem(spec) === undefined);
  const daemons = bound.filter(isDaemonPod);
  return {
    allocatable: withoutZeros(allocatable),
    podRequests: withoutZeros(sumResources(bound.map(podRequests))),
    daemonRequests: withoutZeros(sumResources(daemons.map(podRequests))),
    podLimits: limitsOf(bound),
    daemonLimits: limitsOf(daemons),
    systemOverhead: withoutZeros(keptBack(view)),
  };
};

/**
 * What a node has and what is taken of it; a view stays the same object until something about its node changes, so it
 * is added up once. Pods that are only expected count nothing yet, nor do pods that cannot be read. Differs: what there
 * is none of (huge pages, mostly) is left out, where the original shows a zero for each node.
 */
export const nodeResources = memoByObject(summed);
