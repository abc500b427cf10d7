import { capacityTypes, labels } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { defaultSchedulingPolicy, simulate } from '../../scheduling/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import type { Command } from '../command.ts';
import { aNode } from './a-cluster.ts';

/** What a cloud makes of a planned node: any of the types that it may be, and spot before on-demand. */
const launched = ({ instanceTypes, nodePoolName, pods, claim }: PlannedNode, name: string, luck: number): NodeView => {
  const type = instanceTypes[luck % instanceTypes.length];
  if (type === undefined) throw new Error('A planned node has an instance type');
  const asked = claim.spec.requirements.find(({ key }) => key === labels.capacityType)?.values ?? [];
  const capacityType = asked.includes(capacityTypes.spot) ? capacityTypes.spot : capacityTypes.onDemand;
  return aNode(name, { cpus: (type.capacity['cpu'] ?? 0) / 1000, capacityType, nodePoolName, pods });
};

/** The nodes with these pods on them, each where first-fit has room for it. Throws when some find none. */
const placing = (cluster: ClusterSnapshot, pods: readonly Pod[]): readonly NodeView[] => {
  const { placements, plannedNodes, rejections } = simulate(
    { ...cluster, pendingPods: pods },
    { ...defaultSchedulingPolicy, packing: 'first-fit' },
    () => false,
  );
  if (plannedNodes.length + rejections.length > 0) throw new Error('The nodes that stand were said to have room for these pods');
  return cluster.nodes.map((node) => ({ ...node, pods: [...node.pods, ...(placements.get(node.name) ?? [])] }));
};

/**
 * The cluster once a command has been carried out, and settled. `luck` says for each replacement which of its types is
 * launched.
 */
export const carryOut = (cluster: ClusterSnapshot, command: Command, luck: readonly number[]): ClusterSnapshot => {
  const gone = new Set(command.candidates.map(({ node }) => node.name));
  const moved = new Set(command.candidates.flatMap(({ reschedulablePods }) => reschedulablePods));
  const [first = ''] = gone;
  const fresh = command.replacements.map((planned, index) => launched(planned, `${first}+${index}`, luck[index % luck.length] ?? 0));
  const replaced = new Set(fresh.flatMap(({ pods }) => pods));
  const rest = { ...cluster, nodes: cluster.nodes.filter(({ name }) => !gone.has(name)) };
  const homeless = [...moved].filter((pod) => !replaced.has(pod));
  return { ...rest, nodes: [...placing(rest, homeless), ...fresh] };
};
