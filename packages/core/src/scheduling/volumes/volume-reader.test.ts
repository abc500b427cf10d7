import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import { storageViewOf } from '../../cluster/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../kube/index.ts';
import { defaultLabelCatalog } from '../../requirements/index.ts';
import { aPod, aVolumeClaim } from '../../testing/objects.ts';
import { ClaimUsers } from './volume-claims.ts';
import { volumeReader } from './volume-reader.ts';
import { volumeWorkReader } from './volume-work.ts';

const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes' };

const boundVolumeClaim = (name: string, claim: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  ...claim,
  ...aVolumeClaim(name, { metadata: { annotations: BOUND, ...claim.metadata }, ...(claim.spec && { spec: claim.spec }) }),
});
const aDisk = (name: string, ...zones: readonly string[]): PersistentVolume => ({
  metadata: { name, labels: { [labels.zone]: zones.join('__') } },
  spec: { csi: { driver: 'disk.csi' } },
});
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const storage = storageViewOf({
  claims: [
    boundVolumeClaim('one', { spec: { volumeName: 'in-z1' } }),
    boundVolumeClaim('wide', { spec: { volumeName: 'in-z1-z2' } }),
    boundVolumeClaim('two', { spec: { volumeName: 'in-z2' } }),
    boundVolumeClaim('mounted', { spec: { volumeName: 'own-disk' } }),
    boundVolumeClaim('going', { metadata: { name: 'going', ...deleted }, spec: { volumeName: 'in-z1' } }),
    boundVolumeClaim('volume-going', { spec: { volumeName: 'going' } }),
    boundVolumeClaim('lost', { spec: { volumeName: 'in-z9' }, status: { phase: 'Lost' } }),
    boundVolumeClaim('lost-bare', { status: { phase: 'Lost' } }),
    boundVolumeClaim('binding', { metadata: { name: 'binding', annotations: {} }, spec: { volumeName: 'in-z1' } }),
    boundVolumeClaim('no-volume', { spec: { volumeName: 'missing' } }),
    boundVolumeClaim('no-class', { spec: { storageClassName: 'missing' } }),
    boundVolumeClaim('bare'),
    boundVolumeClaim('exclusive', { spec: { volumeName: 'in-z1', accessModes: ['ReadWriteOncePod'] } }),
  ],
  volumes: [
    aDisk('in-z1', 'z1'),
    aDisk('in-z1-z2', 'z1', 'z2'),
    aDisk('in-z2', 'z2'),
    { metadata: { name: 'own-disk' }, spec: { local: {} } },
    { metadata: { name: 'going', ...deleted }, spec: { csi: { driver: 'disk.csi' } } },
  ],
  classes: [],
});

const podUsing = (...claimNames: readonly string[]): Pod =>
  aPod('web', {
    metadata: { namespace: 'shop' },
    spec: { volumes: claimNames.map((claimName, at) => ({ name: `v${at}`, persistentVolumeClaim: { claimName } })) },
  });
const other: Pod = { metadata: { name: 'other', namespace: 'shop' }, spec: { containers: [] } };
const users = new ClaimUsers(
  new Map([
    ['shop/wide', [other, podUsing('wide')]],
    ['shop/exclusive', [other]],
  ]),
);
const read = volumeReader({ storage, catalog: defaultLabelCatalog, users });

const NOTHING = { text: '', own: {}, shared: [], problem: undefined };

describe('what the volumes of a pod ask', () => {
  test.each<[string, Pod]>([
    ['that has none', other],
    ['whose list of them is empty', podUsing()],
    ['that has no claims', { ...other, spec: { containers: [], volumes: [{ name: 'scratch' }] } }],
  ])('nothing of a pod %s', (_, pod) => {
    expect(read(pod)).toMatchObject(NOTHING);
    expect(read(pod).alternatives.map(requirementsText)).toEqual(['']);
  });

  test('what one asks and the others ask too; each volume is counted once, shared ones apart', () => {
    const needs = read(podUsing('wide', 'one', 'one', 'wide', 'mounted'));
    expect(needs.alternatives.map(requirementsText)).toEqual([`${labels.zone} in ["z1"]`]);
    expect(needs).toMatchObject({ own: { 'disk.csi': 1 }, shared: [{ claim: 'shop/wide', driver: 'disk.csi' }], problem: undefined });
    expect(needs.shared).toHaveLength(1);
    expect(Object.keys(needs.own)).toEqual(['disk.csi']);
  });

  test('the same text where they ask the same, another where they do not', () => {
    expect(read(podUsing('one')).text).toBe(read(podUsing('one', 'one')).text);
    expect(read(podUsing('one')).text).not.toBe(read(podUsing('two')).text);
    expect(read(podUsing('wide')).text).not.toBe(read(podUsing()).text);
  });
});

describe('a problem with a claim names its field', () => {
  test.each<[string, string]>([
    ['unknown', 'there is no such PersistentVolumeClaim'],
    ['going', 'the claim is being deleted'],
    ['volume-going', 'its PersistentVolume going is being deleted'],
    ['lost', 'the claim has lost its PersistentVolume in-z9; delete the claim and create it again'],
    ['lost-bare', 'the claim has lost its PersistentVolume ; delete the claim and create it again'],
    ['binding', 'the claim is still being bound to PersistentVolume in-z1'],
    ['no-volume', 'its PersistentVolume missing does not exist'],
    ['no-class', 'the StorageClass missing does not exist'],
    ['bare', 'the claim is not bound and names no StorageClass'],
    ['two', 'no node reaches this volume together with the others'],
    ['exclusive', 'the claim is ReadWriteOncePod, and pod shop/other uses it'],
  ])('%s: %s', (claimName, said) => {
    const problem: unknown = expect.stringContaining(said);
    const found = read(podUsing('one', claimName));
    expect(found.problem).toEqual({ field: 'spec.volumes[v1]', value: `shop/${claimName}`, problem });
    expect(found).toMatchObject({ own: {}, shared: [], text: JSON.stringify(found.problem) });
  });

  test.each<[string, readonly string[], number]>([
    ['the last', ['one', 'wide', 'mounted', 'two'], 3],
    ['the second', ['one', 'two', 'wide', 'mounted'], 1],
    ['one in between', ['wide', 'one', 'mounted', 'two', 'wide', 'one'], 3],
  ])('of volumes that no node reaches together it names the first that parts with those before it: %s', (_, names, at) => {
    expect(read(podUsing(...names)).problem).toMatchObject({ field: `spec.volumes[v${at}]`, value: 'shop/two' });
  });

  test('the pod that holds a ReadWriteOncePod claim gets no problem', () => {
    expect(
      volumeReader({ storage, catalog: defaultLabelCatalog, users: new ClaimUsers(new Map()) })(podUsing('exclusive')).problem,
    ).toBeUndefined();
  });
});

describe('volumes with several terms each', () => {
  /** A volume with so many terms, each over a label of its own or over the zone. */
  const withTerms = (name: string, terms: number, keyOf: (index: number) => string): PersistentVolume => ({
    metadata: { name },
    spec: {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: Array.from({ length: terms }, (_, index) => ({
            matchExpressions: [{ key: keyOf(index), operator: 'NotIn', values: [`${name}-${index}`] }],
          })),
        },
      },
    },
  });
  const needsOf = (count: number, terms: number, keyOf: (volume: number, index: number) => string) => {
    const names = Array.from({ length: count }, (_, index) => `many-${index}`);
    const many = storageViewOf({
      claims: names.map((name) => boundVolumeClaim(name, { spec: { volumeName: name } })),
      volumes: names.map((name, volume) => withTerms(name, terms, (index) => keyOf(volume, index))),
      classes: [],
    });
    const context = { storage: many, catalog: defaultLabelCatalog, users: new ClaimUsers(new Map()) };
    return {
      pod: podUsing(...names),
      needs: volumeReader(context)(podUsing(...names)),
      work: volumeWorkReader(context)(podUsing(...names)),
    };
  };

  test('which together exclude nothing ask nothing, however many there are', () => {
    const { needs } = needsOf(12, 1000, () => labels.zone);
    expect(needs).toMatchObject({ alternatives: [new Map()], problem: undefined });
  });

  test('are combined where the ways are few', () => {
    const { needs, work } = needsOf(3, 3, (volume, index) => `label-${volume}-${index}`);
    expect(needs.alternatives).toHaveLength(27);
    expect(work).toBe(3 * 15 + 26 * 14);
  });

  test('are refused where the ways are many, with the figure', () => {
    const { needs } = needsOf(12, 3, (volume, index) => `label-${volume}-${index}`);
    expect(needs.problem).toMatchObject({ kind: 'too-complex', most: 20_000, largest: '8 volumes with node affinities of their own' });
  });

  test('cost as much as all their ways, before any is tried', () => {
    const { work } = needsOf(12, 3, (volume, index) => `label-${volume}-${index}`);
    expect(work).toBeGreaterThan(50_000);
  });
});
