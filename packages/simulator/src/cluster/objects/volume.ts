import type { NodeSelectorTerm } from '@karpenter/core';
import type { KindRef, KubeObject } from '@karpenter/api-server';

export interface PersistentVolumeClaim extends KubeObject {
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

export interface PersistentVolume extends KubeObject {
  readonly status?: { readonly phase?: string };
  readonly spec: {
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
    readonly accessModes?: readonly string[];
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    /** Absent: a volume that is not attached (a node's own disk, NFS). */
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
}

export interface StorageClass extends KubeObject {
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
export interface CsiNode extends KubeObject {
  readonly spec: { readonly drivers: readonly CsiNodeDriver[] };
}

export interface CsiDriver extends KubeObject {
  readonly spec: { readonly attachRequired?: boolean };
}

/** A storage.k8s.io/v1 VolumeAttachment: a volume that is, or is to be, attached to a node. */
export interface VolumeAttachment extends KubeObject {
  readonly spec: { readonly attacher: string; readonly nodeName: string; readonly source: { readonly persistentVolumeName?: string } };
  readonly status?: { readonly attached: boolean };
}

export const volumeClaims: KindRef<PersistentVolumeClaim> = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
export const volumes: KindRef<PersistentVolume> = { kind: 'PersistentVolume', apiVersion: 'v1' };
export const storageClasses: KindRef<StorageClass> = { kind: 'StorageClass', apiVersion: 'storage.k8s.io/v1' };
export const csiNodes: KindRef<CsiNode> = { kind: 'CSINode', apiVersion: 'storage.k8s.io/v1' };
export const csiDrivers: KindRef<CsiDriver> = { kind: 'CSIDriver', apiVersion: 'storage.k8s.io/v1' };
export const volumeAttachments: KindRef<VolumeAttachment> = { kind: 'VolumeAttachment', apiVersion: 'storage.k8s.io/v1' };
