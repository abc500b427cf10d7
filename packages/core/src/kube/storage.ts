import type { ObjectMeta } from './object-meta.ts';
import type { NodeSelectorTerm } from './selectors.ts';

/** A claim on storage, less the fields that neither scheduling nor draining reads. */
export interface PersistentVolumeClaim {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly storageClassName?: string;
    /** Absent or empty while the claim is not bound. */
    readonly volumeName?: string;
    readonly accessModes?: readonly string[];
  };
  readonly status?: { readonly phase?: string };
}

/** A volume that exists. What kind of storage it is says the one source field that is there. */
export interface PersistentVolume {
  readonly metadata: ObjectMeta;
  readonly spec?: PersistentVolumeSource & {
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
  };
}

/**
 * The sources that decisions distinguish: the driver of a CSI volume, the in-tree kinds that CSI drivers serve now, and
 * a node's own disk.
 */
export interface PersistentVolumeSource {
  readonly csi?: { readonly driver: string };
  readonly awsElasticBlockStore?: unknown;
  readonly azureDisk?: unknown;
  readonly azureFile?: unknown;
  readonly cinder?: unknown;
  readonly gcePersistentDisk?: unknown;
  readonly portworxVolume?: unknown;
  readonly vsphereVolume?: unknown;
  readonly local?: unknown;
  readonly hostPath?: unknown;
}

/** How volumes of one sort are made. */
export interface StorageClass {
  readonly metadata: ObjectMeta;
  readonly provisioner: string;
  /** Default `Immediate`. */
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  /** Where volumes may be made; any one is enough. Empty: anywhere. */
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

/** What the CSI drivers of a node say about it; named like the node. */
export interface CSINode {
  readonly metadata: ObjectMeta;
  /** A kubelet writes `drivers: null` until the first driver registers. */
  readonly spec?: { readonly drivers?: readonly { readonly name: string; readonly allocatable?: { readonly count?: number } }[] | null };
}
