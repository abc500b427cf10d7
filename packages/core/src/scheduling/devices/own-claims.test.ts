import { expect, test } from '@jest/globals';
import type { NodePool } from '../../apis/index.ts';
import { snapshotOf } from '../../cluster/index.ts';
import { simulate } from '../what-if.ts';
import { nodePool } from './testing/a-gpu-claim.ts';

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

test('a pod gets a node of the second pool when the first has none with its devices: the refusal of the first counted for both', () => {
  const plain = { name: 'plain', capacity: { cpu: '4', memory: '16Gi' }, pricePerHour: { 'on-demand': 1 } };
  const typed = (name: string, type: string): NodePool => ({
    ...nodePool,
    metadata: { name },
    spec: {
      template: {
        spec: {
          ...nodePool.spec.template.spec,
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [type] }],
        },
      },
    },
  });
  const { plannedNodes, rejections } = simulate(
    snapshotOf({
      nodePools: [typed('first', 'plain'), typed('second', '2-gpus')],
      instanceTypes: [plain, gpus(2)],
      deviceClasses: [deviceClass],
      resourceClaimTemplates: [{ metadata: { name: 'gpu', namespace: 'default' }, spec: { spec } }],
      pods: ['a', 'b', 'c'].map((name) => ({
        metadata: { name },
        spec: { containers: [{ name: 'main' }], resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }] },
      })),
    }),
  );
  expect(rejections).toEqual([]);
  expect(plannedNodes.map((node) => [node.nodePoolName, node.pods.length]).sort()).toEqual([
    ['second', 1],
    ['second', 2],
  ]);
});
