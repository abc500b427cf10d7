import type { NodeView } from '../../cluster/index.ts';
import { isDaemonPod, podRequests, podSpecProblem, sumResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';

/** What a node has, and what the pods that are bound to it have asked for. */
export interface NodeResources {
  readonly allocatable: Resources;
  /** Of all pods, daemon pods included. */
  readonly podRequests: Resources;
  readonly daemonRequests: Resources;
}

const withoutZeros = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount !== 0));

const summed = ({ name, allocatable, pods }: NodeView): NodeResources => {
  const bound = pods.filter(({ spec }) => spec.nodeName === name && podSpecProblem(spec) === undefined);
  return {
    allocatable: withoutZeros(allocatable),
    podRequests: withoutZeros(sumResources(bound.map(podRequests))),
    daemonRequests: withoutZeros(sumResources(bound.filter(isDaemonPod).map(podRequests))),
  };
};

const known = new WeakMap<NodeView, NodeResources>();

/**
 * What a node has and what is taken of it; a view stays the same object until something about its node changes, so it is added up once.
 * Pods that are only expected count nothing yet, nor do pods that cannot be read.
 * Differs: what there is none of (huge pages, mostly) is left out, where the original shows a zero for each node.
 */
export const nodeResources = (view: NodeView): NodeResources => {
  const resources = known.get(view) ?? summed(view);
  known.set(view, resources);
  return resources;
};
