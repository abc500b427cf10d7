import { namespaceOf } from '@karpenter/core/internal';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, StorageView, Volume } from '@karpenter/core/internal';
import type { ApiObject } from '@karpenter/api-server';

const STORAGE = 'storage.k8s.io/v1';

const classObject = (storageClass: StorageClass): ApiObject => {
  const object = { apiVersion: STORAGE, kind: 'StorageClass', ...storageClass };
  return object;
};

/** A CSI volume that names no handle has one of its own. */
const volumeObject = ({ metadata: { name, labels = {} }, spec = {} }: PersistentVolume): ApiObject => {
  const csi = spec.csi === undefined ? {} : { csi: { volumeHandle: name, ...spec.csi } };
  const object = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name, labels } },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec, ...csi },
  };
  return object;
};

/** A claim's spec with what the API asks of each and planning does not read. */
const completeClaimSpec = (spec: PersistentVolumeClaim['spec'] = {}): object => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
  ...spec,
});

/** A pod's volume as the API takes it. */
export const volumeOfPod = (volume: Volume): object => {
  const template = volume.ephemeral?.volumeClaimTemplate;
  return template === undefined
    ? volume
    : { ...volume, ephemeral: { volumeClaimTemplate: { ...template, spec: completeClaimSpec(template.spec) } } };
};

const claimObject = (claim: PersistentVolumeClaim): ApiObject => {
  const { name, annotations = {} } = claim.metadata;
  const object = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, namespace: namespaceOf(claim), annotations } },
    spec: completeClaimSpec(claim.spec),
  };
  return object;
};

/** Classes, volumes and claims as objects of the Kubernetes API. */
export const storageObjects = (storage: StorageView | undefined): readonly ApiObject[] => {
  if (storage === undefined) return [];
  const { claims, volumes, classes } = storage;
  return [...[...classes.values()].map(classObject), ...[...volumes.values()].map(volumeObject), ...[...claims.values()].map(claimObject)];
};

/** What the drivers of a node say that they attach; none where no number is known. */
export const csiNodeOf = (name: string, volumeLimits: Readonly<Record<string, number>> | undefined): readonly ApiObject[] => {
  if (volumeLimits === undefined) return [];
  const drivers = Object.entries(volumeLimits).map(([driver, count]) => ({ name: driver, nodeID: name, allocatable: { count } }));
  const object = { apiVersion: STORAGE, kind: 'CSINode', metadata: { name }, spec: { drivers } };
  return [object];
};
