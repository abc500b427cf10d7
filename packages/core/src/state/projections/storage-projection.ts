import type { CSINode, ObjectMeta, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kube/index.ts';
import { pick } from './pick.ts';

const META = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'annotations',
] as const satisfies readonly (keyof ObjectMeta)[];

/** Cache transforms that keep of storage what decisions read. */
export const storageProjection = {
  claim: ({ metadata, spec, status }: PersistentVolumeClaim): PersistentVolumeClaim => ({
    metadata: pick(metadata, META),
    ...(spec === undefined ? {} : { spec: pick(spec, ['storageClassName', 'volumeName', 'accessModes']) }),
    ...(status === undefined ? {} : { status: pick(status, ['phase']) }),
  }),
  volume: ({ metadata, spec }: PersistentVolume): PersistentVolume => ({
    metadata: pick(metadata, META),
    ...(spec === undefined ? {} : { spec }),
  }),
  storageClass: ({ metadata, provisioner, volumeBindingMode, allowedTopologies }: StorageClass): StorageClass => ({
    metadata: pick(metadata, META),
    provisioner,
    ...(volumeBindingMode === undefined ? {} : { volumeBindingMode }),
    ...(allowedTopologies === undefined ? {} : { allowedTopologies }),
  }),
  csiNode: ({ metadata, spec }: CSINode): CSINode => ({ metadata: pick(metadata, META), ...(spec === undefined ? {} : { spec }) }),
};
