import type { KubeObjectMeta } from '@karpenter/runtime';

/** Where an object stands: its name, and its namespace when its kind is namespaced. */
export interface LocalKey {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** `metadata` of any object. What the server fills in is optional here, since a person writes objects without it. */
export type ApiObjectMeta = { readonly [Member in keyof KubeObjectMeta]?: KubeObjectMeta[Member] | undefined };

/** The part that every Kubernetes object has. Objects that come out of the server are frozen. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiObjectMeta;
}

/**
 * Names a served kind: `'Pod'`, or with its group where two groups serve one kind name. `sample` is never read: it
 * carries the type, so that `const pods: KindRef<Pod> = { kind: 'Pod' }` makes `api.get(pods, key)` a `Pod`.
 */
export interface KindRef<T> {
  readonly kind: string;
  readonly apiVersion?: string | undefined;
  readonly sample?: T;
}
