import { expect, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import type { Device, DeviceRequest, Node, ResourceClaim } from '../../kube/index.ts';
import { explain } from '../rejection/rejection-text.ts';
import { simulate } from '../what-if.ts';
import { claimOf, DRIVER, nodePool } from './testing/a-gpu-claim.ts';

const deviceClasses = [{ metadata: { name: 'gpu' }, spec: {} }];

const request = (name: string, count = 1): DeviceRequest => ({ name, exactly: { deviceClassName: 'gpu', count } });

const amounts = { cpu: '64', memory: '256Gi', pods: '110' };

const gpuNode = (name: string): Node => ({
  metadata: { name },
  status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
});

const podClaiming = ({ metadata: { name } }: ResourceClaim) => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  spec: {
    containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: name }],
  },
});

const runningOn = (nodeName: string, claim: ResourceClaim) => {
  const pod = podClaiming(claim);
  return { ...pod, spec: { ...pod.spec, nodeName } };
};

const oneGpu = {
  name: 'one',
  capacity: amounts,
  pricePerHour: { 'on-demand': 1 },
  dynamicResources: { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices: [{ name: 'gpu' }] }] },
};

test('when 180 nodes have 231 partitions each of a GPU that is in use › a pod gets a new node', () => {
  const takes = (value: string) => ({ consumesCounters: [{ counterSet: 'gpu', counters: { slots: { value } } }] });
  const partitions = Array.from({ length: 231 }, (_, index) => ({
    ...{ name: `part-${index}`, attributes: { uuid: { int: index } } },
    ...takes('1'),
  }));
  const devices: readonly Device[] = [...partitions, { name: 'whole', ...takes('231') }];
  const sharedCounters = [{ name: 'gpu', counters: { slots: { value: '231' } } }];
  const names = Array.from({ length: 180 }, (_, index) => `node-${index}`);
  const held = names.map((name): ResourceClaim => {
    const results = [{ request: 'r', driver: DRIVER, pool: name, device: 'whole' }];
    const reservedFor = [{ resource: 'pods', name, uid: `uid-${name}` }];
    return { ...claimOf(name, [request('r')]), status: { allocation: { devices: { results } }, reservedFor } };
  });
  const wanted = claimOf('new', [request('r')]);
  const { plannedNodes, placements, rejections } = simulate(
    snapshotOf({
      nodePools: [nodePool],
      deviceClasses,
      instanceTypes: [oneGpu],
      resourceClaims: [...held, wanted],
      resourceSlices: names.flatMap((name) => {
        const spec = { driver: DRIVER, nodeName: name, pool: { name, resourceSliceCount: 2 } };
        return [
          { metadata: { name }, spec: { ...spec, devices } },
          { metadata: { name: `${name}-counters` }, spec: { ...spec, sharedCounters } },
        ];
      }),
      nodes: names.map(gpuNode),
      pods: [...held.map((claim) => runningOn(claim.metadata.name, claim)), podClaiming(wanted)],
    }),
  );
  expect(rejections.map(explain)).toEqual([]);
  expect([plannedNodes.length, placements.size]).toEqual([1, 0]);
});

test('when the only devices that match are in use, and others are too many to try › a pod is rejected because its search was cut short', () => {
  const devices = Array.from({ length: 300 }, (_, index) => ({ name: `gpu-${index}`, attributes: { root: { int: Math.max(index, 2) } } }));
  const constraints = [{ matchAttribute: `${DRIVER}/root` }];
  const results = [0, 1, 2].map((index) => ({ request: 'r', driver: DRIVER, pool: 'fabric', device: `gpu-${index}` }));
  const reservedFor = [{ resource: 'pods', name: 'held', uid: 'uid-held' }];
  const held = { ...claimOf('held', [request('r', 3)], constraints), status: { allocation: { devices: { results } }, reservedFor } };
  const wanted = claimOf('new', [request('r', 3)], constraints);
  const { rejections } = simulate(
    snapshotOf({
      nodePools: [nodePool],
      deviceClasses,
      instanceTypes: [{ name: 'plain', capacity: { cpu: '64', memory: '256Gi' }, pricePerHour: { 'on-demand': 1 } }],
      resourceClaims: [held, wanted],
      resourceSlices: [
        {
          metadata: { name: 'fabric' },
          spec: { driver: DRIVER, allNodes: true, pool: { name: 'fabric', resourceSliceCount: 1 }, devices },
        },
      ],
      nodes: [gpuNode('node')],
      pods: [runningOn('node', held), podClaiming(wanted)],
    }),
  );
  expect(rejections.map(explain)).toEqual([
    expect.stringMatching(/^Pod default\/new .*the search for its devices was cut short: it took too long/),
  ]);
});
