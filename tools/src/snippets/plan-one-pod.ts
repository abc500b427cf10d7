import { explain, type NodePool, simulate, snapshotOf } from '@karpenter/core';

const nodeClassRef = { group: 'example.com', kind: 'NodeClass', name: 'default' };
const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { requirements: [], nodeClassRef } } },
};
const instanceTypes = [
  { name: 'small', capacity: { cpu: '2', memory: '8Gi' }, pricePerHour: { 'on-demand': 0.1 } },
  { name: 'large', capacity: { cpu: '8', memory: '32Gi' }, pricePerHour: { 'on-demand': 0.38, spot: 0.09 } },
];
const pod = (name: string, cpu: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] },
});

const plan = simulate(snapshotOf({ nodePools: [nodePool], instanceTypes, pods: [pod('web', '1500m'), pod('monster', '64')] }));
for (const { cheapest, pods } of plan.plannedNodes)
  console.log(`${cheapest.instanceType.name} for ${pods.map(({ metadata }) => metadata.name).join(', ')}`);
for (const rejection of plan.rejections) console.log(explain(rejection));
