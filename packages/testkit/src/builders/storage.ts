import { namespacedNameOf } from '@karpenter/core/internal';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass, StorageView } from '@karpenter/core/internal';

/** The CSI driver of the builders' volumes. */
export const DISK_DRIVER = 'disk.csi.test';

/** What a test says about a volume. */
export interface VolumeOptions {
  /** Zones from which it can be reached, one term of node affinity each; default: from anywhere. */
  readonly zones?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Default: a CSI volume of `DISK_DRIVER`. */
  readonly source?: Omit<NonNullable<PersistentVolume['spec']>, 'nodeAffinity'>;
  readonly isDeleting?: boolean;
}

const zoneKey = 'topology.kubernetes.io/zone';
const GONE = { deletionTimestamp: '2026-01-01T00:00:00Z' };

export const aVolume = (
  name: string,
  { zones, labels = {}, source = { csi: { driver: DISK_DRIVER } }, isDeleting = false }: VolumeOptions = {},
): PersistentVolume => {
  const nodeSelectorTerms = zones?.map((zone) => ({ matchExpressions: [{ key: zoneKey, operator: 'In' as const, values: [zone] }] }));
  return {
    metadata: { name, labels, ...(isDeleting ? GONE : {}) },
    spec: { ...source, ...(nodeSelectorTerms === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms } } }) },
  };
};

/** What a test says about a claim. */
export interface ClaimOptions {
  /** Default: not bound. */
  readonly volumeName?: string;
  readonly storageClassName?: string;
  /** Default `default`. */
  readonly namespace?: string;
  readonly accessModes?: readonly string[];
  readonly phase?: string;
  readonly isDeleting?: boolean;
}

/** A claim; with a volume name it is bound to the end. */
export const aClaim = (name: string, options: ClaimOptions = {}): PersistentVolumeClaim => {
  const { volumeName, storageClassName, namespace = 'default', accessModes = ['ReadWriteOnce'], phase, isDeleting = false } = options;
  const annotations = volumeName === undefined ? {} : { 'pv.kubernetes.io/bind-completed': 'yes' };
  return {
    metadata: { name, namespace, annotations, ...(isDeleting ? GONE : {}) },
    spec: {
      accessModes,
      ...(volumeName === undefined ? {} : { volumeName }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
};

/** A class of `DISK_DRIVER` that waits for the first consumer, in these zones or in any. */
export const aStorageClass = (
  name: string,
  { zones, ...other }: { readonly zones?: readonly string[] } & Partial<StorageClass> = {},
): StorageClass => ({
  metadata: { name },
  provisioner: DISK_DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
  ...(zones === undefined ? {} : { allowedTopologies: [{ matchLabelExpressions: [{ key: zoneKey, values: zones }] }] }),
  ...other,
});

/** What of storage there is in a test. */
export interface StorageOptions {
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
  readonly classes?: readonly StorageClass[];
}

export const aStorage = ({ claims = [], volumes = [], classes = [] }: StorageOptions): StorageView => ({
  claims: new Map(claims.map((claim) => [namespacedNameOf(claim.metadata), claim])),
  volumes: new Map(volumes.map((volume) => [volume.metadata.name, volume])),
  classes: new Map(classes.map((storageClass) => [storageClass.metadata.name, storageClass])),
});
