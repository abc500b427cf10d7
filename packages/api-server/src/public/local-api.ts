import type { KubeObjectMeta } from '@karpenter/runtime';

/** What a list is narrowed by: the same selector strings as over HTTP. */
export interface ListQuery {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/**
 * One patch. `apply` needs a `fieldManager`; `subresource` is `status`, `scale`, `resize` for pods, or `finalize` for
 * namespaces, whose body is a merge patch of `spec.finalizers`.
 */
export interface LocalPatch {
  readonly type: 'merge' | 'json' | 'strategic' | 'apply';
  readonly body: unknown;
  readonly subresource?: string | undefined;
  readonly fieldManager?: string | undefined;
  readonly force?: boolean | undefined;
}

/** `DeleteOptions` of the Kubernetes API, also carried by an eviction. */
export interface LocalDeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined } | undefined;
}

/** One change of one object. `DELETED` carries the last state. */
export interface LocalEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
  /** What it was before; undefined for a creation, and for what was there when a watch began. */
  readonly previous: T | undefined;
}

/** A kind in one of its served versions. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** What its objects are counted as: `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly namespaced: boolean;
}

/**
 * The API server without the wire: the same admission, defaults, validation, conflicts and finalizers, answered at once
 * because the store is in memory. Everything returned is frozen and shared, never a copy. A refusal is thrown as an
 * `ApiError`; a missing object is `undefined` from `get` and an `ApiError` of code `NotFound` from a write.
 */
export interface LocalApi {
  get<T extends ApiObject>(kind: string | KindRef<T>, key: LocalKey): T | undefined;
  list<T extends ApiObject>(kind: string | KindRef<T>, query?: ListQuery): readonly T[];
  create<T extends ApiObject>(object: T): T;
  /**
   * Replaces everything but `status`. A `metadata.resourceVersion` in the object is an optimistic lock; without one the
   * write is unconditional.
   */
  update<T extends ApiObject>(object: T): T;
  updateStatus<T extends ApiObject>(object: T): T;
  patch<T extends ApiObject>(kind: string | KindRef<T>, key: LocalKey, patch: LocalPatch): T;
  /** Returns the last state: still there with a `deletionTimestamp` while finalizers or grace hold it. */
  delete<T extends ApiObject>(kind: string | KindRef<T>, key: LocalKey, options?: LocalDeleteOptions): T;
  /** The pod's `binding` subresource. */
  bind(pod: LocalKey, nodeName: string): void;
  /** The pod's `eviction` subresource; an `ApiError` of code `TooManyRequests` when a disruption budget forbids it. */
  evict(pod: LocalKey, options?: LocalDeleteOptions): void;
  /** Every existing object as `ADDED`, then every change as it happens, inside the call that wrote it. Disposing stops it. */
  watch<T extends ApiObject>(kind: string | KindRef<T>, listener: (event: LocalEvent<T>) => void): Disposable;
  /** Every later change of an object of any kind, in its stored version, before the watches of its kind see it. */
  watchAll(listener: (event: LocalEvent<ApiObject>) => void): Disposable;
  /** The object with a uid, of whatever kind, in its stored version. */
  find(uid: string): ApiObject | undefined;
  /** All that is served at the moment. */
  kinds(): readonly ServedKind[];
}

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
