import { expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../apis/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kube/index.ts';
import { claimNeeds } from './claim-needs.ts';
import type { UnsupportedVolumes } from './unsupported-volumes.ts';

const disks: StorageClass = {
  metadata: { name: 'disks' },
  provisioner: 'kubernetes.io/azure-disk',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.disks.example/zone', values: ['z1'] }] }],
};
const own: StorageClass = {
  metadata: { name: 'own' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
};
const volume: PersistentVolume = { metadata: { name: 'pv' }, spec: { csi: { driver: 'disk.csi.azure.com' } } };
const bound: PersistentVolumeClaim = {
  metadata: { name: 'data', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
  spec: { volumeName: 'pv' },
};
const of = (storageClassName: string): PersistentVolumeClaim => ({ metadata: { name: 'data' }, spec: { storageClassName } });

const problemOf = (claim: PersistentVolumeClaim, unsupported?: UnsupportedVolumes): string | undefined => {
  const storage = {
    claims: new Map(),
    volumes: new Map([['pv', volume]]),
    classes: new Map([disks, own].map((each) => [each.metadata.name, each])),
  };
  const needs = claimNeeds({ field: 'f', value: 'default/data', claim }, { storage, catalog: defaultLabelCatalog, unsupported });
  return 'problem' in needs ? needs.problem : undefined;
};

test.each<[string, PersistentVolumeClaim, UnsupportedVolumes, RegExp]>([
  ['by the driver of its class', of('disks'), { provisioners: new Set(['disk.csi.azure.com']) }, /provisioner disk\.csi\.azure\.com/],
  ['by its class as that names it', of('disks'), { provisioners: new Set(['kubernetes.io/azure-disk']) }, /provisioner kubernetes\.io/],
  ['by a class without provisioner', of('own'), { provisioners: new Set(['kubernetes.io/no-provisioner']) }, /no-provisioner/],
  ['by the driver of its volume', bound, { provisioners: new Set(['disk.csi.azure.com']) }, /provisioner disk/],
  ['by a topology of its class', of('disks'), { topologyKeys: new Set(['topology.disks.example/zone']) }, /topology\.disks\.example\/zone/],
])('a claim that no node can serve %s says so', (...[, claim, unsupported, problem]) => {
  expect(problemOf(claim, unsupported)).toMatch(problem);
  expect(problemOf(claim)).toBeUndefined();
});
