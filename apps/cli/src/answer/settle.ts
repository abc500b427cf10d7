import {
  allocatableOf,
  type ClusterSnapshot,
  type Command,
  labels,
  type NodeView,
  type PlannedNode,
  type SchedulingPolicy,
  simulate,
} from '@karpenter/core';

/** The machine of a planned node once it is up. Without a claim: it is a place for pods, and is not disrupted again. */
const standing = ({ nodePoolName, cheapest, claim, pods }: PlannedNode, name: string): NodeView => {
  const { instanceType, offering } = cheapest;
  return {
    name,
    nodePoolName,
    labels: {
      ...claim.labels,
      [labels.nodePool]: nodePoolName,
      [labels.instanceType]: instanceType.name,
      [labels.zone]: offering.zone,
      [labels.capacityType]: offering.capacityType,
      [labels.hostname]: name,
    },
    annotations: {},
    taints: claim.spec.taints ?? [],
    capacity: instanceType.capacity,
    allocatable: allocatableOf(instanceType),
    pods,
    ...{ hasNode: true, isRegistered: true, isInitialized: true, isReady: true, isMarkedForDeletion: false },
  };
};

/**
 * The cluster once a command has been carried out and its pods run elsewhere; undefined when some of them find no place. Pods that were
 * pending before stay so.
 */
export const settle = (snapshot: ClusterSnapshot, command: Command, policy: SchedulingPolicy): ClusterSnapshot | undefined => {
  const gone = new Set(command.candidates.map(({ node }) => node.name));
  const moved = command.candidates.flatMap(({ reschedulablePods }) => reschedulablePods);
  const rest = { ...snapshot, nodes: snapshot.nodes.filter(({ name }) => !gone.has(name)) };
  const { packing = 'first-fit' } = command;
  const { placements, plannedNodes, rejections } = simulate({ ...rest, pendingPods: moved }, { ...policy, packing });
  if (rejections.length > 0) return undefined;
  const [first = ''] = gone;
  const staying = rest.nodes.map((node) => {
    const coming = placements.get(node.name);
    return coming === undefined ? node : { ...node, pods: [...node.pods, ...coming] };
  });
  return { ...rest, nodes: [...staying, ...plannedNodes.map((planned, index) => standing(planned, `in-place-of-${first}-${index + 1}`))] };
};
