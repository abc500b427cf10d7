import { describe, expect, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import type { NodeOptions, PodOptions } from '../../fixtures/builders.ts';
import { chooseAmong } from '../../fixtures/choose-among.ts';
import type { Choosing } from '../../fixtures/choose-among.ts';
import type {
  CsiNode,
  PersistentVolumeObject,
  PersistentVolumeClaimObject,
  StorageClassObject,
  VolumeAttachmentObject,
} from '../../objects/volume.ts';
import type { VolumeReader } from '../volumes/volume-views.ts';

const ZONE = 'topology.kubernetes.io/zone';
const STORAGE = 'storage.k8s.io/v1';

const claimOf = (name: string, spec: PersistentVolumeClaimObject['spec'], metadata = {}): PersistentVolumeClaimObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec },
  metadata: { name, ...metadata },
});
const volumeOf = (name: string, spec: PersistentVolumeObject['spec'], labels = {}): PersistentVolumeObject => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', spec },
  metadata: { name, labels },
});
const disk = (name: string, driver = 'disk'): PersistentVolumeObject => volumeOf(name, { csi: { driver, volumeHandle: name } });
const classOf = (name: string, more: Partial<StorageClassObject>): StorageClassObject => ({
  ...{ apiVersion: STORAGE, kind: 'StorageClass', metadata: { name } },
  ...more,
});
const inZoneB = { nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In' as const, values: ['b'] }] }] };

const claims = [
  claimOf('bound', { volumeName: 'in-b' }),
  claimOf('legacy', { volumeName: 'zone-b-label' }),
  claimOf('waiting', { storageClassName: 'late' }),
  claimOf('also-waiting', { storageClassName: 'late' }),
  claimOf('on-its-way', { storageClassName: 'late' }, { annotations: { 'volume.kubernetes.io/selected-node': 'b' } }),
  claimOf('immediate', { storageClassName: 'early' }),
  claimOf('going', { volumeName: 'in-b' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  claimOf('one', { volumeName: 'one' }),
  claimOf('two', { volumeName: 'two' }),
  claimOf('share', { volumeName: 'share' }),
  claimOf('own', { volumeName: 'own', accessModes: ['ReadWriteOncePod'] }),
];
const volumes = [
  volumeOf('in-b', { nodeAffinity: { required: inZoneB } }),
  volumeOf('zone-b-label', {}, { [ZONE]: 'b__c' }),
  ...['one', 'two', 'own'].map((name) => disk(name)),
  disk('share', 'files'),
];
const classes = [
  classOf('late', {
    provisioner: 'disk',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['a'] }] }],
  }),
  classOf('early', { volumeBindingMode: 'Immediate' }),
];

const attaching = (nodeName: string, count: number): CsiNode => ({
  ...{ apiVersion: STORAGE, kind: 'CSINode', metadata: { name: nodeName } },
  spec: {
    drivers: [
      { name: 'disk', nodeID: nodeName, allocatable: { count } },
      { name: 'files', nodeID: nodeName },
    ],
  },
});
const attached = (volumeName: string, nodeName: string): VolumeAttachmentObject => ({
  ...{ apiVersion: STORAGE, kind: 'VolumeAttachment', metadata: { name: volumeName } },
  spec: { attacher: 'disk', nodeName, source: { persistentVolumeName: volumeName } },
});

interface Case extends Choosing {
  readonly name: string;
  readonly csiNodes?: readonly CsiNode[];
  readonly attachments?: readonly VolumeAttachmentObject[];
  readonly expected: string | Readonly<Record<string, number>>;
}

const named =
  <T extends ApiObject>(all: readonly T[]) =>
  (name: string): T | undefined =>
    all.find(({ metadata }) => metadata.name === name);

const readerOf = ({ csiNodes = [], attachments = [] }: Case): VolumeReader => ({
  claim: (_namespace, name) => named(claims)(name),
  volume: named(volumes),
  storageClass: named(classes),
  csiNode: named(csiNodes),
  attachmentsOn: (nodeName) => attachments.filter(({ spec }) => spec.nodeName === nodeName),
});

const zone = (name: string): NodeOptions => ({ labels: { [ZONE]: name } });
const using = (...claimNames: readonly string[]): PodOptions => ({
  volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
});
const FULL = { 'node(s) exceed max volume count': 1 };
const IN_USE = 'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode';

const cases: readonly Case[] = [
  { name: 'a bound volume pulls into its zone', nodes: { a: zone('a'), b: zone('b') }, pod: using('bound'), expected: 'b' },
  {
    name: 'a bound volume in another zone keeps its pod off',
    nodes: { a: zone('a') },
    pod: using('bound'),
    expected: { "node(s) didn't match PersistentVolume's node affinity": 1 },
  },
  {
    name: 'zone labels of a volume pull as its node affinity does',
    nodes: { a: zone('a'), c: zone('c') },
    pod: using('legacy'),
    expected: 'c',
  },
  { name: 'a claim that waits takes any allowed zone', nodes: { a: zone('a'), b: zone('b') }, pod: using('waiting'), expected: 'a' },
  {
    name: 'a claim whose volume is being made for another node keeps its pod off',
    nodes: { a: zone('a') },
    pod: using('on-its-way'),
    expected: { "node(s) didn't find available persistent volumes to bind": 1 },
  },
  {
    name: 'a claim that should be bound already is refused',
    nodes: { a: {} },
    pod: using('immediate'),
    expected: { 'pod has unbound immediate PersistentVolumeClaims': 1 },
  },
  {
    name: 'a claim that is not there is named',
    nodes: { a: {} },
    pod: using('gone'),
    expected: { 'persistentvolumeclaim "gone" not found': 1 },
  },
  {
    name: 'a claim that is being deleted is named',
    nodes: { b: zone('b') },
    pod: using('going'),
    expected: { 'persistentvolumeclaim "going" is being deleted': 1 },
  },
  {
    name: 'as many volumes as the node attaches fit',
    nodes: { a: {} },
    csiNodes: [attaching('a', 2)],
    pod: using('one', 'two'),
    expected: 'a',
  },
  {
    name: 'more volumes than the node attaches do not fit',
    nodes: { a: {} },
    csiNodes: [attaching('a', 1)],
    pod: using('one', 'two'),
    expected: FULL,
  },
  { name: 'a node whose drivers have not registered has no limit', nodes: { a: {} }, pod: using('one', 'two'), expected: 'a' },
  { name: 'a driver without a number has no limit', nodes: { a: {} }, csiNodes: [attaching('a', 0)], pod: using('share'), expected: 'a' },
  {
    name: 'volumes of pods that run count',
    nodes: { a: {}, b: {} },
    running: { db: { on: 'a', ...using('one') } },
    csiNodes: [attaching('a', 1), attaching('b', 1)],
    pod: using('two'),
    expected: 'b',
  },
  {
    name: 'a volume that a pod there has already counts once',
    nodes: { a: {} },
    running: { db: { on: 'a', ...using('one') } },
    csiNodes: [attaching('a', 1)],
    pod: using('one'),
    expected: 'a',
  },
  {
    name: 'a volume counts until it is detached, whoever used it',
    nodes: { a: {} },
    csiNodes: [attaching('a', 1)],
    attachments: [attached('one', 'a')],
    pod: using('two'),
    expected: FULL,
  },
  {
    name: 'a volume that is attached for a pod there counts once',
    nodes: { a: {} },
    running: { db: { on: 'a', ...using('one') } },
    csiNodes: [attaching('a', 2)],
    attachments: [attached('one', 'a')],
    pod: using('two'),
    expected: 'a',
  },
  {
    name: 'claims that wait count as the volumes that they will get',
    nodes: { a: zone('a') },
    running: { db: { on: 'a', ...using('waiting') } },
    csiNodes: [attaching('a', 1)],
    pod: using('also-waiting'),
    expected: FULL,
  },
  { name: 'a claim for one pod only, that nobody has, keeps nobody off', nodes: { a: {} }, pod: using('own'), expected: 'a' },
  {
    name: 'a claim for one pod only, that another pod has, keeps others off every node',
    nodes: { a: {}, b: {} },
    running: { db: { on: 'a', ...using('own') } },
    pod: using('own'),
    expected: { [IN_USE]: 2 },
  },
  {
    name: 'a claim of the same name in another namespace is another claim',
    nodes: { a: {} },
    running: { db: { on: 'a', namespace: 'blue', ...using('own') } },
    pod: using('own'),
    expected: 'a',
  },
];

describe('where a pod with volumes goes', () => {
  test.each(cases)('$name', (one) => {
    expect(chooseAmong(one, readerOf(one))).toEqual(one.expected);
  });
});
