import type { NodeSelectorTerm } from '@karpenter/core/internal';
import type { KindRef, ApiObject } from '@karpenter/api-server';

export interface PersistentVolumeClaimObject extends ApiObject {
  readonly spec: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Readonly<Record<string, string>> | undefined;
    readonly accessModes?: readonly string[] | undefined;
  };
}

export interface PersistentVolumeObject extends ApiObject {
  readonly status?: { readonly phase?: string };
  readonly spec: {
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
    readonly accessModes?: readonly string[];
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    /** Absent: a volume that is not attached (a node's own disk, NFS). */
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
}

export interface StorageClassObject extends ApiObject {
  readonly provisioner?: string;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

/** What a driver says of the node that it runs on. */
export interface CsiNodeDriver {
  readonly name: string;
  readonly nodeID: string;
  /** Labels of the node that say where the driver's volumes reach. */
  readonly topologyKeys?: readonly string[] | null;
  readonly allocatable?: { readonly count?: number };
}

/** A storage.k8s.io/v1 CSINode, named like its node. */
export interface CsiNode extends ApiObject {
  readonly spec: { readonly drivers: readonly CsiNodeDriver[] };
}

export interface CsiDriver extends ApiObject {
  readonly spec: { readonly attachRequired?: boolean };
}

/** A storage.k8s.io/v1 VolumeAttachment: a volume that is, or is to be, attached to a node. */
export interface VolumeAttachmentObject extends ApiObject {
  readonly spec: { readonly attacher: string; readonly nodeName: string; readonly source: { readonly persistentVolumeName?: string } };
  readonly status?: { readonly attached: boolean };
}

export const volumeClaims: KindRef<PersistentVolumeClaimObject> = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
export const volumes: KindRef<PersistentVolumeObject> = { kind: 'PersistentVolume', apiVersion: 'v1' };
export const storageClasses: KindRef<StorageClassObject> = { kind: 'StorageClass', apiVersion: 'storage.k8s.io/v1' };
export const csiNodes: KindRef<CsiNode> = { kind: 'CSINode', apiVersion: 'storage.k8s.io/v1' };
export const csiDrivers: KindRef<CsiDriver> = { kind: 'CSIDriver', apiVersion: 'storage.k8s.io/v1' };
export const volumeAttachments: KindRef<VolumeAttachmentObject> = { kind: 'VolumeAttachment', apiVersion: 'storage.k8s.io/v1' };
