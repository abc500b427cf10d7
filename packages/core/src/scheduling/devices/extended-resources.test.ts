import { describe, expect, test } from '@jest/globals';
import { snapshotOf } from '../../cluster/index.ts';
import type { PlainCluster } from '../../cluster/index.ts';
import type { Container, DeviceClass, Pod } from '../../kube/index.ts';
import { simulate } from '../what-if.ts';
import { aPod } from '../../testing/objects.ts';
import { extendedResourcesOf } from './extended-resources.ts';
import { nodePool } from './testing/a-gpu-claim.ts';

const DRIVER = 'gpu.example.com';
const RESOURCE = 'example.com/gpu';
const IMPLICIT = 'deviceclass.resource.kubernetes.io/gpu';

const deviceClass = (name: string, spec: Partial<DeviceClass['spec']> = {}, creationTimestamp = '2026-01-01T00:00:00Z'): DeviceClass => ({
  metadata: { name, creationTimestamp },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }], ...spec },
});
const gpuClass = deviceClass('gpu', { extendedResourceName: RESOURCE });

const containerRequesting = (count: number, resource = RESOURCE): Container => ({
  name: 'main',
  resources: { requests: { cpu: '1', [resource]: String(count) }, limits: { [resource]: String(count) } },
});

const gpuType = (gpus: number, capacity: Readonly<Record<string, string>> = {}) => ({
  name: `${gpus}-gpus`,
  capacity: { cpu: '16', memory: '64Gi', ...capacity },
  pricePerHour: { 'on-demand': gpus + 1 },
  dynamicResources: {
    resourceSliceTemplates: [
      { driver: DRIVER, pool: 'gpus', devices: Array.from({ length: gpus }, (_, index) => ({ name: `gpu-${index}` })) },
    ],
  },
});

const podOfContainers = (name: string, ...containers: readonly Container[]): Pod => aPod(name, { spec: { containers } });

const planForCluster = (cluster: Partial<PlainCluster>) =>
  simulate(snapshotOf({ nodePools: [nodePool], deviceClasses: [gpuClass], instanceTypes: [gpuType(1), gpuType(4)], pods: [], ...cluster }));

describe('a pod that requests an extended resource of a DeviceClass', () => {
  test.each([
    ['by the name in the class', RESOURCE],
    ['by the name that every class has', IMPLICIT],
  ])('%s gets a node with the devices, which requests no such resource', (_, resource) => {
    const { plannedNodes, rejections } = planForCluster({
      pods: [podOfContainers('one', containerRequesting(2, resource)), podOfContainers('two', containerRequesting(2, resource))],
    });
    expect(rejections).toEqual([]);
    expect(plannedNodes.map(({ cheapest, pods }) => [cheapest.instanceType.name, pods.length])).toEqual([['4-gpus', 2]]);
    expect(plannedNodes[0]?.requests[resource]).toBeUndefined();
    expect(plannedNodes[0]?.claim.annotations['karpenter.sh/requested-dra-drivers']).toBe(DRIVER);
  });

  test('gets a node of a device plugin where no device is of the class', () => {
    const plugin = { name: 'plugin', capacity: { cpu: '16', memory: '64Gi', [RESOURCE]: '4' }, pricePerHour: { 'on-demand': 1 } };
    const { plannedNodes } = planForCluster({ instanceTypes: [plugin], pods: [podOfContainers('one', containerRequesting(2))] });
    expect(plannedNodes.map(({ cheapest }) => cheapest.instanceType.name)).toEqual(['plugin']);
    expect(plannedNodes[0]?.requests[RESOURCE]).toBe(2);
  });

  test('counts by devices where a type has both: its node will not have the resource', () => {
    const { plannedNodes } = planForCluster({
      instanceTypes: [gpuType(1, { [RESOURCE]: '1' })],
      pods: [podOfContainers('one', containerRequesting(1))],
    });
    expect(plannedNodes[0]?.requests[RESOURCE]).toBeUndefined();
  });

  test('is refused with the class and how many devices there are, where there are too few', () => {
    const { plannedNodes, rejections } = planForCluster({ pods: [podOfContainers('monster', containerRequesting(5))] });
    expect(plannedNodes).toEqual([]);
    expect(JSON.stringify(rejections)).toContain('wants 5 devices of DeviceClass gpu: of 5, 5 left');
  });

  test('keeps to a node where the claim that kube-scheduler made for it has its devices', () => {
    const slice = {
      metadata: { name: 'slice' },
      spec: {
        driver: DRIVER,
        pool: { name: 'node', resourceSliceCount: 1 },
        nodeName: 'node',
        devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }],
      },
    };
    const made = {
      metadata: { name: 'made', namespace: 'default' },
      spec: { devices: { requests: [{ name: 'container-0-request-1', exactly: { deviceClassName: 'gpu' } }] } },
      status: {
        allocation: { devices: { results: [{ request: 'container-0-request-1', driver: DRIVER, pool: 'node', device: 'gpu-0' }] } },
        reservedFor: [{ resource: 'pods', name: 'running', uid: 'running' }],
      },
    };
    const running: Pod = {
      metadata: { name: 'running', namespace: 'default', uid: 'running' },
      spec: { nodeName: 'node', containers: [containerRequesting(1)] },
      status: { phase: 'Running', extendedResourceClaimStatus: { resourceClaimName: 'made' } },
    };
    const node = { metadata: { name: 'node' }, status: { allocatable: { cpu: '16', memory: '64Gi', pods: '110' } } };
    const { placements, plannedNodes } = planForCluster({
      nodes: [node],
      resourceSlices: [slice],
      resourceClaims: [made],
      pods: [running, podOfContainers('second', containerRequesting(1)), podOfContainers('third', containerRequesting(1))],
    });
    expect(placements.get('node')?.map(({ metadata }) => metadata.name)).toEqual(['second']);
    expect(plannedNodes.map(({ pods }) => pods.length)).toEqual([1]);
  });
});

describe('the claim for extended resources', () => {
  const read = (spec: Pod['spec'], deviceClasses: readonly DeviceClass[] = [gpuClass]) =>
    extendedResourcesOf(snapshotOf({ deviceClasses, nodePools: [], pods: [], instanceTypes: [] }))
      ?.claimSpecOf(spec)
      ?.devices?.requests?.map(({ name, exactly }) => `${name} ${exactly?.count ?? 1} ${exactly?.deviceClassName ?? ''}`);
  const init = (count: number, restartPolicy?: 'Always'): Container => ({
    ...containerRequesting(count),
    ...(restartPolicy && { restartPolicy }),
  });

  test.each<[string, Pod['spec'], readonly string[] | undefined]>([
    [
      'has a request for each container, named by its place',
      { containers: [containerRequesting(1), containerRequesting(2)] },
      ['container-0-request-1 1 gpu', 'container-1-request-1 2 gpu'],
    ],
    [
      'has none for a container that asks for nothing',
      { containers: [{ name: 'a' }, containerRequesting(2)] },
      ['container-1-request-1 2 gpu'],
    ],
    ['has none for an amount of 0', { containers: [containerRequesting(0)] }, undefined],
    [
      'lets an init container use the devices of later containers',
      { initContainers: [init(2)], containers: [containerRequesting(1), containerRequesting(1)] },
      ['container-1-request-1 1 gpu', 'container-2-request-1 1 gpu'],
    ],
    [
      'asks for what an init container needs beyond them',
      { initContainers: [init(3)], containers: [containerRequesting(1)] },
      ['container-0-request-1 2 gpu', 'container-1-request-1 1 gpu'],
    ],
    [
      'asks for the most that any init container needs beyond them',
      { initContainers: [init(2), init(4), init(3)], containers: [containerRequesting(1)] },
      ['container-1-request-1 3 gpu', 'container-3-request-1 1 gpu'],
    ],
    [
      'gives a sidecar devices of its own',
      { initContainers: [init(1, 'Always')], containers: [containerRequesting(1)] },
      ['container-0-request-1 1 gpu', 'container-1-request-1 1 gpu'],
    ],
    [
      'is for limits where no request is named',
      { containers: [{ name: 'a', resources: { limits: { [RESOURCE]: '1' } } }] },
      ['container-0-request-0 1 gpu'],
    ],
    ['is not there where no class stands for the resource', { containers: [containerRequesting(1, 'example.com/fpga')] }, undefined],
    [
      'is not there for a class that does not exist',
      { containers: [containerRequesting(1, 'deviceclass.resource.kubernetes.io/fpga')] },
      undefined,
    ],
  ])('%s', (_, spec, requests) => {
    expect(read(spec)).toEqual(requests);
  });

  test.each<[string, readonly DeviceClass[], string]>([
    ['the newer', [gpuClass, deviceClass('newer', { extendedResourceName: RESOURCE }, '2026-02-01T00:00:00Z')], 'newer'],
    [
      'the first by name of equally old ones',
      [deviceClass('b', { extendedResourceName: RESOURCE }), deviceClass('a', { extendedResourceName: RESOURCE })],
      'a',
    ],
  ])('is of %s where two classes name one resource', (_, deviceClasses, name) => {
    expect(read({ containers: [containerRequesting(1)] }, deviceClasses)).toEqual([`container-0-request-1 1 ${name}`]);
  });
});

test('a malformed pod beside a DeviceClass is refused by name, and the others are planned', () => {
  const cluster = {
    nodePools: [nodePool],
    deviceClasses: [gpuClass],
    instanceTypes: [gpuType(1)],
    pods: [podOfContainers('one', containerRequesting(1))],
  };
  const snapshot = snapshotOf(cluster);
  const broken: Pod = { ...podOfContainers('broken'), spec: JSON.parse('{ "containers": 7 }') as Pod['spec'] };
  const { plannedNodes, rejections } = simulate({ ...snapshot, pendingPods: [broken, ...snapshot.pendingPods] });
  expect(rejections.map(({ pod, reason }) => [pod.metadata.name, reason.kind])).toEqual([['broken', 'invalid-pod']]);
  expect(plannedNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['one']);
});
