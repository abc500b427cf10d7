import { expect, test } from '@jest/globals';
import type { NodePool } from '../../apis/index.ts';
import { snapshotOf } from '../../cluster/index.ts';
import { simulate } from '../simulate.ts';

const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
};

const deviceClass = { metadata: { name: 'gpu' }, spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] } };
const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };

const gpus = (count: number) => ({
  name: `${count}-gpus`,
  capacity: { cpu: '64', memory: '256Gi' },
  pricePerHour: { 'on-demand': count },
  dynamicResources: {
    resourceSliceTemplates: [
      { driver: 'gpu.example.com', pool: 'gpus', devices: Array.from({ length: count }, (_, index) => ({ name: `gpu-${index}` })) },
    ],
  },
});

test('equal pods with a claim of a template each get a device each: they shared one claim, and so one device', () => {
  const pods = Array.from({ length: 5 }, (_, index) => ({
    metadata: { name: `worker-${index}` },
    spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] },
  }));
  const { plannedNodes, rejections } = simulate(
    snapshotOf({
      nodePools: [nodePool],
      instanceTypes: [gpus(2)],
      deviceClasses: [deviceClass],
      resourceClaimTemplates: [{ metadata: { name: 'gpu', namespace: 'default' }, spec: { spec } }],
      pods,
    }),
  );
  expect(rejections).toEqual([]);
  expect(plannedNodes.map((node) => node.pods.length).sort()).toEqual([1, 2, 2]);
});
