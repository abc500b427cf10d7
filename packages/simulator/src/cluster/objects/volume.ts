import type { NodeSelectorTerm } from '@karpenter/core';
import type { KindRef, KubeObject } from '../../api/door/index.ts';

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
  readonly spec: { readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } } };
}

export interface StorageClass extends KubeObject {
  readonly provisioner?: string;
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

export const volumeClaims: KindRef<PersistentVolumeClaim> = { kind: 'PersistentVolumeClaim', apiVersion: 'v1' };
export const volumes: KindRef<PersistentVolume> = { kind: 'PersistentVolume', apiVersion: 'v1' };
export const storageClasses: KindRef<StorageClass> = { kind: 'StorageClass', apiVersion: 'storage.k8s.io/v1' };
