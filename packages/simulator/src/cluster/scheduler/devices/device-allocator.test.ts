import { describe, expect, test } from '@jest/globals';
import { startLocalApi } from '@karpenter/api-server';
import { fakeClock } from '@karpenter/runtime';
import { deviceClaims } from '../../objects/device.ts';
import { podKind } from '../../objects/pod.ts';
import { startBinder } from '../binder.ts';

const apiVersion = 'resource.k8s.io/v1';
const namespace = 'default';
const DRIVER = 'gpu.example.com';

const node = (name: string, cpu = '1') => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { rack: 'one' } }, spec: {} },
  status: { allocatable: { cpu, memory: '8Gi', pods: '500' }, conditions: [{ type: 'Ready', status: 'True' }] },
});

const sliceOf = (place: object, device: object = {}) => ({
  ...{ apiVersion, kind: 'ResourceSlice', metadata: { name: 'slice' } },
  spec: { driver: DRIVER, pool: { name: 'pool', generation: 1, resourceSliceCount: 1 }, ...place, devices: [{ name: 'gpu', ...device }] },
});

const pod = (name: string, cpu = '800m') => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } },
  spec: {
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'main', image: 'none', resources: { requests: { cpu } } }],
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'shared' }],
  },
});

const standing = [
  { apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' }, spec: {} },
  {
    ...{ apiVersion, kind: 'ResourceClaim', metadata: { name: 'shared', namespace } },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
  },
];

const startCluster = (objects: readonly object[]) => {
  const clock = fakeClock();
  const api = startLocalApi(clock);
  const binder = startBinder(api, clock);
  for (const object of [...standing, ...objects]) {
    const { status, ...rest } = object as Parameters<typeof api.create>[0] & { status?: object };
    const created = api.create(rest);
    if (status !== undefined) api.updateStatus({ ...created, status });
  }
  const nodeOf = (name: string) => api.get(podKind, { namespace, name })?.spec.nodeName;
  const claim = () => {
    const found = api.get(deviceClaims, { namespace, name: 'shared' });
    if (found === undefined) throw new Error('the claim is gone');
    return found;
  };
  const uidOf = (name: string) => api.get(podKind, { namespace, name })?.metadata.uid ?? '';
  /** Says that the claim has its device, for these pods. */
  const reserve = (uids: readonly string[]) => {
    const reservedFor = uids.map((uid) => ({ resource: 'pods', name: uid, uid }));
    api.updateStatus({ ...claim(), status: { allocation: { devices: { results: [] } }, reservedFor } });
  };
  const report = (type: string) =>
    api.updateStatus({
      ...claim(),
      status: {
        ...claim().status,
        devices: [{ driver: DRIVER, pool: 'pool', device: 'gpu', conditions: [{ type, status: 'True', reason: 'R', message: '' }] }],
      },
    });
  return { clock, nodeOf, claim, uidOf, reserve, report, [Symbol.dispose]: () => binder[Symbol.dispose]() };
};

describe('the nodes of an allocation', () => {
  test('when all nodes reach the device › there is no selector, and pods on two nodes share the claim', async () => {
    using cluster = startCluster([node('a'), node('b'), sliceOf({ allNodes: true }), pod('p1'), pod('p2')]);
    await cluster.clock.advance(5_000);
    expect([cluster.nodeOf('p1'), cluster.nodeOf('p2')].sort()).toEqual(['a', 'b']);
    expect(cluster.claim().status?.allocation).not.toHaveProperty('nodeSelector');
  });

  test('when a selector says which nodes reach the device › the allocation has it', async () => {
    const nodeSelector = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['one'] }] }] };
    using cluster = startCluster([node('a'), sliceOf({ nodeSelector }), pod('p1')]);
    await cluster.clock.advance(5_000);
    expect(cluster.claim().status?.allocation?.nodeSelector).toEqual(nodeSelector);
  });

  test.each([
    ['is of the node', { nodeName: 'a' }, {}],
    ['binds to the node', { allNodes: true }, { bindsToNode: true }],
  ])('when the device %s › the claim is for that node alone', async (_, place, device) => {
    using cluster = startCluster([node('a'), sliceOf(place, device), pod('p1')]);
    await cluster.clock.advance(5_000);
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['a'] }];
    expect(cluster.claim().status?.allocation?.nodeSelector).toEqual({ nodeSelectorTerms: [{ matchFields }] });
  });
});

describe('a device with binding conditions', () => {
  const waiting = sliceOf({ allNodes: true }, { bindingConditions: ['Ready'], bindingFailureConditions: ['Broken'] });

  test('when the driver reports them › the pod is bound then, and not before', async () => {
    using cluster = startCluster([node('a'), waiting, pod('p1')]);
    await cluster.clock.advance(60_000);
    expect(cluster.nodeOf('p1')).toBeUndefined();
    expect(cluster.claim().status?.reservedFor).toHaveLength(1);
    cluster.report('Ready');
    await cluster.clock.advance(5_000);
    expect(cluster.nodeOf('p1')).toBe('a');
  });

  test('when the driver reports a failure › the claim is allocated again', async () => {
    using cluster = startCluster([node('a'), waiting, pod('p1')]);
    await cluster.clock.advance(5_000);
    const before = cluster.claim().metadata.resourceVersion;
    cluster.report('Broken');
    await cluster.clock.advance(20_000);
    expect(cluster.nodeOf('p1')).toBeUndefined();
    expect(cluster.claim().metadata.resourceVersion).not.toBe(before);
    expect(cluster.claim().status).not.toHaveProperty('devices');
    cluster.report('Ready');
    await cluster.clock.advance(5_000);
    expect(cluster.nodeOf('p1')).toBe('a');
  });

  test('when ten minutes pass without them › the claim is allocated again', async () => {
    using cluster = startCluster([node('a'), waiting, pod('p1')]);
    await cluster.clock.advance(5_000);
    const timestampOf = () => (cluster.claim().status?.allocation as { allocationTimestamp?: string } | undefined)?.allocationTimestamp;
    const first = timestampOf();
    await cluster.clock.advance(630_000);
    expect(first).toBeDefined();
    expect(timestampOf()).not.toBe(first);
    expect(cluster.nodeOf('p1')).toBeUndefined();
  });
});

test('when 257 pods use one claim › 256 are bound', async () => {
  const names = Array.from({ length: 257 }, (_, index) => `p${index}`);
  using cluster = startCluster([node('a', '512'), sliceOf({ allNodes: true }), ...names.map((name) => pod(name, '1m'))]);
  await cluster.clock.advance(60_000);
  expect(names.filter((name) => cluster.nodeOf(name) === 'a')).toHaveLength(256);
});

test('when a claim has 256 users › the pod that is one of them is bound, and another is not', async () => {
  using cluster = startCluster([node('a'), pod('p1', '1m'), pod('p2', '1m')]);
  await cluster.clock.advance(5_000);
  expect(cluster.nodeOf('p1')).toBeUndefined();
  cluster.reserve([cluster.uidOf('p1'), ...Array.from({ length: 255 }, (_, index) => `other-${index}`)]);
  await cluster.clock.advance(60_000);
  expect([cluster.nodeOf('p1'), cluster.nodeOf('p2')]).toEqual(['a', undefined]);
});
