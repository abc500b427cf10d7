import { describe, expect, test } from '@jest/globals';
import { storageViewOf } from '../../cluster/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../kube/index.ts';
import { aPod, aVolumeClaim } from '../../testing/objects.ts';
import { attachedVolumesOf } from './attachment-limits.ts';
import { claimOf } from './volume-claims.ts';

const volumeClaimWithSpec = (name: string, spec?: PersistentVolumeClaim['spec']): PersistentVolumeClaim =>
  aVolumeClaim(name, spec && { spec });
const volumeOf = (name: string, spec?: PersistentVolume['spec']): PersistentVolume => ({
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});

const storage = storageViewOf({
  claims: [
    volumeClaimWithSpec('bound', { volumeName: 'disk', storageClassName: 'files' }),
    volumeClaimWithSpec('in-tree', { volumeName: 'azure' }),
    volumeClaimWithSpec('own-disk', { volumeName: 'local' }),
    volumeClaimWithSpec('bare-volume', { volumeName: 'bare' }),
    volumeClaimWithSpec('lost', { volumeName: 'gone', storageClassName: 'files' }),
    volumeClaimWithSpec('unbound', { storageClassName: 'files' }),
    volumeClaimWithSpec('old-class', { volumeName: '', storageClassName: 'in-tree' }),
    volumeClaimWithSpec('no-such-class', { storageClassName: 'gone' }),
    volumeClaimWithSpec('classless', {}),
    volumeClaimWithSpec('bare'),
    volumeClaimWithSpec('web-made', { volumeName: 'disk' }),
  ],
  volumes: [
    volumeOf('disk', { csi: { driver: 'disk.csi' } }),
    volumeOf('azure', { azureDisk: {} }),
    volumeOf('local', { local: {} }),
    volumeOf('bare'),
  ],
  classes: [
    { metadata: { name: 'files' }, provisioner: 'files.csi' },
    { metadata: { name: 'in-tree' }, provisioner: 'kubernetes.io/gce-pd' },
  ],
});

const podUsing = (...volumes: readonly Volume[]): Pod => aPod('web', { metadata: { namespace: 'shop' }, spec: { volumes } });
const using = (claimName: string): Volume => ({ name: 'v', persistentVolumeClaim: { claimName } });
const templated = (name: string, storageClassName: string): Volume => ({
  name,
  ephemeral: { volumeClaimTemplate: { spec: { storageClassName } } },
});

describe('what a running pod has attached', () => {
  test.each<[string, string, readonly string[]]>([
    ['the driver of the bound volume, whatever the class', 'bound', ['disk.csi']],
    ['the driver that serves an in-tree volume now', 'in-tree', ['disk.csi.azure.com']],
    ["nothing, for a node's own disk", 'own-disk', []],
    ['nothing, for a volume that says nothing', 'bare-volume', []],
    ['nothing, where the volume has gone', 'lost', []],
    ["the class's driver, while there is no volume", 'unbound', ['files.csi']],
    ["the driver for an old class's provisioner", 'old-class', ['pd.csi.storage.gke.io']],
    ['nothing, where the class has gone', 'no-such-class', []],
    ['nothing, where no class is named', 'classless', []],
    ['nothing, where the claim says nothing', 'bare', []],
    ['nothing, where the claim has gone', 'no-such-claim', []],
  ])('%s', (_, claimName, drivers) => {
    expect(attachedVolumesOf(podUsing(using(claimName)), storage)).toEqual(
      drivers.map((driver) => ({ claim: `shop/${claimName}`, driver })),
    );
  });

  test('each volume in its turn, ephemeral ones by the template until their claim is there', () => {
    const pod = podUsing(templated('made', 'files'), using('unbound'), { name: 'scratch' }, templated('new', 'files'));
    expect(attachedVolumesOf(pod, storage)).toEqual([
      { claim: 'shop/web-made', driver: 'disk.csi' },
      { claim: 'shop/unbound', driver: 'files.csi' },
      { claim: 'shop/web-new', driver: 'files.csi' },
    ]);
  });
});

describe('the claim behind a volume', () => {
  test('is the one that is there, of an ephemeral volume too', () => {
    expect(claimOf({ volume: templated('made', 'files'), claim: 'shop/web-made' }, storage)).toBe(storage.claims.get('shop/web-made'));
  });

  test('is what the template says, by its own name, until it is made', () => {
    expect(claimOf({ volume: templated('new', 'files'), claim: 'shop/web-new' }, storage)).toEqual({
      metadata: { name: 'web-new' },
      spec: { storageClassName: 'files' },
    });
  });

  test('asks nothing where there is no template', () => {
    expect(claimOf({ volume: { name: 'new', ephemeral: {} }, claim: 'shop/web-new' }, storage)?.spec).toEqual({});
  });

  test('is none where it was not created', () => {
    expect(claimOf({ volume: using('late'), claim: 'shop/late' }, storage)).toBeUndefined();
  });
});
