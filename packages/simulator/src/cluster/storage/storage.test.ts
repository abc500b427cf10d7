import { describe, expect, test } from '@jest/globals';
import { aPod } from '../fixtures/builders.ts';
import type { PodOptions } from '../fixtures/builders.ts';
import { aMachine, aTestCluster } from '../fixtures/test-cluster.ts';
import type { TestCluster } from '../fixtures/test-cluster.ts';
import type { Event } from '../control/event-writer.ts';
import { events } from '../control/event-writer.ts';
import { nodes } from '../objects/node.ts';
import { podKind } from '../objects/pod.ts';
import { csiNodes, volumeAttachments, volumeClaims, volumes } from '../objects/volume.ts';

const MINUTE = 60_000;
const ZONE = 'topology.kubernetes.io/zone';
const inDefault = (name: string) => ({ namespace: 'default', name });

const createClaim = ({ api }: TestCluster, name: string, accessMode = 'ReadWriteOnce'): void => {
  const spec = { accessModes: [accessMode], storageClassName: 'late', resources: { requests: { storage: '1Gi' } } };
  api.create({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: inDefault(name), spec });
};

/** With a class of disks that are made where their first pod runs. */
const aDiskCluster = async (...machines: readonly Parameters<typeof aMachine>[]): Promise<TestCluster> => {
  const cluster = aTestCluster();
  const late = { provisioner: 'disk', volumeBindingMode: 'WaitForFirstConsumer' as const };
  cluster.api.create({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'late' }, ...late });
  for (const machine of machines) cluster.kubelets.start(aMachine(...machine));
  await cluster.clock.advance(20_000);
  return cluster;
};

const using = (claimName: string, more: PodOptions = {}): PodOptions => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
  ...more,
});
const onNode = (name: string): PodOptions => ({ nodeSelector: { 'kubernetes.io/hostname': name } });
const phaseOf = ({ api }: TestCluster, name: string): string | undefined => api.get(podKind, inDefault(name))?.status?.phase;
/** `volume of claim on node`, with `…` while it is not attached. */
const attachmentsOf = ({ api }: TestCluster): readonly string[] =>
  api.list(volumeAttachments).map(({ spec, status }) => {
    const volume = api.get(volumes, { name: spec.source.persistentVolumeName ?? '' });
    return `${volume?.spec.claimRef?.name ?? '?'} on ${spec.nodeName}${status?.attached === true ? '' : ' …'}`;
  });

describe('a disk', () => {
  test('is attached before its pod starts, and detached after it has ended', async () => {
    using cluster = await aDiskCluster(['a']);
    createClaim(cluster, 'data');
    cluster.api.create(aPod('user', using('data')));
    await cluster.clock.advance(2_500);
    expect([attachmentsOf(cluster), phaseOf(cluster, 'user')]).toEqual([['data on a …'], 'Pending']);
    await cluster.clock.advance(5_000);
    expect([attachmentsOf(cluster), phaseOf(cluster, 'user')]).toEqual([['data on a'], 'Running']);
    cluster.api.delete(podKind, inDefault('user'));
    await cluster.clock.advance(500);
    expect(attachmentsOf(cluster)).toEqual(['data on a']);
    await cluster.clock.advance(5_000);
    expect(attachmentsOf(cluster)).toEqual([]);
  });

  test('is attached to a second node only when the first has let it go', async () => {
    using cluster = await aDiskCluster(['a'], ['b']);
    createClaim(cluster, 'data');
    cluster.api.create(aPod('first', using('data', onNode('a'))));
    await cluster.clock.advance(MINUTE);
    cluster.api.create(aPod('second', using('data', onNode('b'))));
    await cluster.clock.advance(MINUTE);
    expect([attachmentsOf(cluster), phaseOf(cluster, 'second')]).toEqual([['data on a'], 'Pending']);
    const reasons = cluster.api.list<Event>(events).map(({ reason }) => reason);
    expect(reasons).toContain('FailedAttachVolume');
    cluster.api.delete(podKind, inDefault('first'));
    await cluster.clock.advance(MINUTE);
    expect([attachmentsOf(cluster), phaseOf(cluster, 'second')]).toEqual([['data on b'], 'Running']);
  });

  test('that many nodes may share is attached to all of them', async () => {
    using cluster = await aDiskCluster(['a'], ['b']);
    createClaim(cluster, 'files', 'ReadWriteMany');
    cluster.api.create(aPod('first', using('files', onNode('a'))));
    await cluster.clock.advance(MINUTE);
    cluster.api.create(aPod('second', using('files', onNode('b'))));
    await cluster.clock.advance(MINUTE);
    expect(attachmentsOf(cluster).toSorted()).toEqual(['files on a', 'files on b']);
  });

  test('of a driver that attaches nothing is never attached, and its pod starts', async () => {
    using cluster = await aDiskCluster(['a']);
    cluster.api.create({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk' }, spec: { attachRequired: false } });
    createClaim(cluster, 'files');
    cluster.api.create(aPod('user', using('files')));
    await cluster.clock.advance(MINUTE);
    expect([attachmentsOf(cluster), phaseOf(cluster, 'user')]).toEqual([[], 'Running']);
  });

  test('of a node that is lost is torn off after six minutes', async () => {
    using cluster = await aDiskCluster();
    const machine = cluster.kubelets.start(aMachine('a'));
    createClaim(cluster, 'data');
    cluster.api.create(aPod('user', using('data')));
    await cluster.clock.advance(MINUTE);
    machine[Symbol.dispose]();
    cluster.api.delete(nodes, { name: 'a' });
    await cluster.clock.advance(3 * MINUTE);
    expect([phaseOf(cluster, 'user'), attachmentsOf(cluster)]).toEqual([undefined, ['data on a']]);
    await cluster.clock.advance(6 * MINUTE);
    expect(attachmentsOf(cluster)).toEqual([]);
  });

  test('of a person who attached it by hand is left alone', async () => {
    using cluster = await aDiskCluster(['a']);
    const spec = { attacher: 'disk', nodeName: 'a', source: { persistentVolumeName: 'theirs' } };
    cluster.api.create({ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'by-hand' }, spec });
    await cluster.clock.advance(10 * MINUTE);
    expect(cluster.api.list(volumeAttachments).map(({ metadata }) => metadata.name)).toEqual(['by-hand']);
  });
});

test('a claim that waits for its first consumer gets its volume in the zone of that pod, and takes it along', async () => {
  using cluster = await aDiskCluster(['a', { labels: { [ZONE]: 'east-1' } }]);
  createClaim(cluster, 'data');
  await cluster.clock.advance(MINUTE);
  expect(cluster.api.list(volumes)).toEqual([]);
  cluster.api.create(aPod('user', using('data')));
  await cluster.clock.advance(MINUTE);
  expect(phaseOf(cluster, 'user')).toBe('Running');
  const [volume] = cluster.api.list(volumes);
  expect(volume?.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values).toEqual(['east-1']);
  expect(cluster.api.get(volumeClaims, inDefault('data'))?.status?.phase).toBe('Bound');
  cluster.api.delete(podKind, inDefault('user'));
  cluster.api.delete(volumeClaims, inDefault('data'));
  await cluster.clock.advance(MINUTE);
  expect(cluster.api.list(volumes)).toEqual([]);
});

test('the drivers of a machine say on its CSINode what they attach, and on its Node where they reach; volumes made there reach no further', async () => {
  const topology = { 'topology.disk/zone': 'east-1' };
  using cluster = await aDiskCluster(['a', { labels: { [ZONE]: '1' }, volumeDrivers: [{ name: 'disk', limit: 4, topology }] }]);
  const [csiNode] = cluster.api.list(csiNodes);
  expect(csiNode?.spec.drivers).toEqual([{ name: 'disk', nodeID: 'a', allocatable: { count: 4 }, topologyKeys: ['topology.disk/zone'] }]);
  expect(cluster.api.get(nodes, { name: 'a' })?.metadata.labels).toMatchObject(topology);
  createClaim(cluster, 'data');
  cluster.api.create(aPod('user', using('data')));
  await cluster.clock.advance(MINUTE);
  expect(cluster.api.list(volumes).map(({ spec }) => spec.nodeAffinity?.required?.nodeSelectorTerms)).toEqual([
    [{ matchExpressions: [{ key: 'topology.disk/zone', operator: 'In', values: ['east-1'] }] }],
  ]);
  cluster.api.delete(nodes, { name: 'a' });
  await cluster.clock.advance(1_000);
  expect(cluster.api.list(csiNodes)).toEqual([]);
});

test('a disk that was to be made for a node that is gone is made for the next one', async () => {
  using cluster = await aDiskCluster(['b', { labels: { [ZONE]: 'east-2' } }]);
  createClaim(cluster, 'data');
  const annotations = { 'volume.kubernetes.io/selected-node': 'gone' };
  cluster.api.patch(volumeClaims, inDefault('data'), { type: 'merge', body: { metadata: { annotations } } });
  cluster.api.create(aPod('user', using('data')));
  await cluster.clock.advance(MINUTE);
  expect([phaseOf(cluster, 'user'), attachmentsOf(cluster)]).toEqual(['Running', ['data on b']]);
});

test('a limit that is reached keeps a pod waiting until a volume is detached', async () => {
  using cluster = await aDiskCluster(['a', { volumeDrivers: [{ name: 'disk', limit: 1 }] }]);
  for (const name of ['one', 'two']) {
    createClaim(cluster, name);
    cluster.api.create(aPod(name, using(name)));
    await cluster.clock.advance(MINUTE);
  }
  expect([phaseOf(cluster, 'one'), cluster.api.get(podKind, inDefault('two'))?.spec.nodeName]).toEqual(['Running', undefined]);
  cluster.api.delete(podKind, inDefault('one'));
  await cluster.clock.advance(MINUTE);
  expect(phaseOf(cluster, 'two')).toBe('Running');
});

test('an ephemeral volume comes with its pod and goes with it, also when the next pod has the same name', async () => {
  using cluster = await aDiskCluster(['a']);
  const spec = { storageClassName: 'late', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const scratch = aPod('work', { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }] });
  cluster.api.create(scratch);
  await cluster.clock.advance(MINUTE);
  const first = cluster.api.get(volumeClaims, inDefault('work-scratch'));
  expect([first?.status?.phase, phaseOf(cluster, 'work'), attachmentsOf(cluster)]).toEqual(['Bound', 'Running', ['work-scratch on a']]);
  cluster.api.delete(podKind, inDefault('work'), { gracePeriodSeconds: 0 });
  cluster.api.create(scratch);
  await cluster.clock.advance(MINUTE);
  const second = cluster.api.get(volumeClaims, inDefault('work-scratch'));
  expect(second?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([cluster.api.get(podKind, inDefault('work'))?.metadata.uid]);
  expect(phaseOf(cluster, 'work')).toBe('Running');
  cluster.api.delete(podKind, inDefault('work'));
  await cluster.clock.advance(MINUTE);
  expect([cluster.api.list(volumeClaims), cluster.api.list(volumes), attachmentsOf(cluster)]).toEqual([[], [], []]);
});
