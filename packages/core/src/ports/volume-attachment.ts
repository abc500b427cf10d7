import type { ObjectMeta } from '../kube/index.ts';

/** storage.k8s.io/v1: a volume that is, or should be, attached to a node. */
export interface VolumeAttachment {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly nodeName: string; readonly source: { readonly persistentVolumeName?: string } };
}
