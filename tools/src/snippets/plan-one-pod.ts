import {
  defaultSchedulingPolicy,
  explain,
  type InstanceType,
  labelRequirements,
  type NodePool,
  type Pod,
  resourcesOf,
  simulate,
} from '@karpenter/core';

const size = (name: string, cpu: string, pricePerHour: number): InstanceType => {
  const offered = { 'topology.kubernetes.io/zone': 'zone-1', 'karpenter.sh/capacity-type': 'on-demand' };
  return {
    name,
    requirements: labelRequirements({
      ...offered,
      'node.kubernetes.io/instance-type': name,
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
    }),
    offerings: [{ zone: 'zone-1', capacityType: 'on-demand', pricePerHour, isAvailable: true, requirements: labelRequirements(offered) }],
    capacity: resourcesOf({ cpu, memory: '16Gi', pods: 110 }),
    overhead: resourcesOf({ cpu: '100m', memory: '1Gi' }),
  };
};
const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
};
const pod = (name: string, cpu: string): Pod => ({
  metadata: { name, uid: name },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] },
});

const plan = simulate(
  {
    nodePools: [{ nodePool, instanceTypes: [size('small', '2', 0.1), size('large', '8', 0.38)], usage: {} }],
    nodes: [],
    pendingPods: [pod('web', '1500m'), pod('monster', '64')],
    daemonSets: [],
    podDisruptionBudgets: [],
    namespaceLabels: new Map(),
  },
  defaultSchedulingPolicy,
  () => false,
);
for (const node of plan.plannedNodes)
  console.log(`${node.cheapest.instanceType.name} for ${node.pods.map(({ metadata }) => metadata.name).join(', ')}`);
for (const rejection of plan.rejections) console.log(explain(rejection));
