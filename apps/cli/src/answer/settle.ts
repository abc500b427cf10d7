import { type ClusterSnapshot, type Command, type SchedulingPolicy, simulate } from '@karpenter/core';
import { plannedNodeView } from '@karpenter/core/internal';
import { withoutBuffers } from './plan-summary.ts';

/**
 * The cluster once a command has been carried out and its pods run elsewhere; undefined when some of them find no
 * place. Pods that were pending before stay so.
 */
export const settle = (snapshot: ClusterSnapshot, command: Command, policy: SchedulingPolicy): ClusterSnapshot | undefined => {
  const gone = new Set(command.candidates.map(({ node }) => node.name));
  const moved = command.candidates.flatMap(({ reschedulablePods }) => reschedulablePods);
  const rest = { ...snapshot, nodes: snapshot.nodes.filter(({ name }) => !gone.has(name)) };
  const { packing = 'first-fit' } = command;
  const plan = simulate({ ...rest, pendingPods: moved }, { ...policy, packing });
  const { placements, plannedNodes, rejections } = withoutBuffers(plan, snapshot);
  if (rejections.length > 0) return undefined;
  const [first = ''] = gone;
  const staying = rest.nodes.map((node) => {
    const coming = placements.get(node.name);
    return coming === undefined ? node : { ...node, pods: [...node.pods, ...coming] };
  });
  return {
    ...rest,
    nodes: [...staying, ...plannedNodes.map((planned, index) => plannedNodeView(planned, `in-place-of-${first}-${index + 1}`))],
  };
};
