import { offlineCatalog } from '@karpenter/azure/catalog';
import { type ClusterSnapshot, labels, type Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNode, aNodePool, aSnapshot } from '@karpenter/testkit';
import { ownNode, podsOfDeployment } from './a-source.ts';

const SIZES: readonly string[] = [
  'Standard_D4as_v5',
  'Standard_D8as_v5',
  'Standard_D16as_v5',
  'Standard_E4as_v5',
  'Standard_E8as_v5',
  'Standard_F4s_v2',
];
const types = offlineCatalog('eastus')
  ?.instanceTypes()
  .filter(({ name }) => SIZES.includes(name));

/** Where a node is, and what it is. */
interface Machine {
  readonly size: string;
  readonly zone: string;
  /** Left out: the node is not Karpenter's. */
  readonly nodePool?: string;
  readonly capacityType?: string;
}

const placed = (node: NodeView, { size, zone, nodePool, capacityType = 'on-demand' }: Machine): NodeView => {
  const { capacity = node.capacity } = types?.find(({ name }) => name === size) ?? {};
  const has = { [labels.instanceType]: size, [labels.zone]: zone, [labels.capacityType]: capacityType };
  return {
    ...node,
    ...(nodePool !== undefined && { nodePoolName: nodePool }),
    labels: { ...node.labels, ...has },
    capacity,
    allocatable: capacity,
  };
};

const nodeOf = (name: string, pods: readonly Pod[], machine: Machine): NodeView => placed(ownNode(name, pods), machine);

/** Two pools in a region of Azure, and a node that is not Karpenter's. */
export const azureCluster = (): ClusterSnapshot => {
  const system = aNode({ name: 'aks-system-1', pods: podsOfDeployment('dns', 2, 100) });
  const place = (size: string, zone: string, nodePool = 'general') => ({ size, zone, nodePool });
  return aSnapshot({
    nodes: [
      nodeOf('aks-general-7xk2p', podsOfDeployment('web', 6, 1000), place('Standard_D8as_v5', 'eastus-1')),
      nodeOf('aks-general-c4d9w', podsOfDeployment('web', 3, 1000), place('Standard_D4as_v5', 'eastus-2')),
      nodeOf('aks-general-q8z5m', podsOfDeployment('cache', 1, 2500), place('Standard_E4as_v5', 'eastus-3')),
      nodeOf('aks-batch-t6h3n', podsOfDeployment('train', 9, 1500), {
        ...place('Standard_D16as_v5', 'eastus-1', 'batch'),
        capacityType: 'spot',
      }),
      placed(system, { size: 'Standard_D4as_v5', zone: 'eastus-1' }),
    ],
    nodePools: [aNodePool({ name: 'general', limits: { cpu: '64', memory: '256Gi' } }), aNodePool({ name: 'batch', weight: 5 })],
    ...(types && { instanceTypes: types }),
  });
};
