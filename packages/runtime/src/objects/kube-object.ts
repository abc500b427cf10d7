import type { KubeObjectMeta } from './object-meta.ts';

/**
 * Any Kubernetes object as plain JSON. Kinds extend it with what they read; fields that no type names are still there
 * at run time and survive a read-modify-write.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeObjectMeta;
}
