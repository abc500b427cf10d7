import type { KubeObject } from '../../objects/kube-object.ts';
import type { ObjectKey } from '../../objects/object-key.ts';
import type { KubeCallOptions } from '../call-options.ts';
import type { Patch } from './patch.ts';
import type { WatchEvent } from './watch-event.ts';

/** Which objects of a kind. */
export interface Selection {
  readonly namespace?: string;
  /** As in the API: `app=web,tier!=cache`. */
  readonly labelSelector?: string;
  /** As in the API: `spec.nodeName=node-1`. */
  readonly fieldSelector?: string;
}

/** Options of a list. */
export interface ListOptions extends KubeCallOptions, Selection {
  /** Objects a page; 500 when left out. */
  readonly limit?: number;
}

/** Options of one page of a list. */
export interface PageOptions extends ListOptions {
  /** Where the page before ended. */
  readonly continue?: string;
}

/** Objects in the server's order, and the version of the whole collection they were read at. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** A page; `continue` is there when more follow. */
export interface ObjectPage<T> extends ObjectList<T> {
  readonly continue?: string;
  /** The next page has far fewer objects than usual, because they are large. */
  readonly isReduced?: boolean;
}

/** Options of a watch. */
export interface WatchOptions extends KubeCallOptions, Selection {
  /** Only what happened after this version; left out with `sendInitialEvents`. */
  readonly resourceVersion?: string;
  /** The server ends the watch after so long. */
  readonly timeoutSeconds?: number;
  /** Begin with every object, then a bookmark that says so (WatchList). */
  readonly sendInitialEvents?: boolean;
}

/** Options of a create, replace or status write. */
export interface WriteOptions extends KubeCallOptions {
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends KubeCallOptions {
  /** Only the object with this uid. One of another uid counts as gone. */
  readonly uid?: string;
  /** Only in this version; otherwise a KubeError `conflict`. */
  readonly resourceVersion?: string;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** `deleted`: it is no more. `terminating`: finalizers or a grace period hold it. `gone`: it was not there. */
export type Deletion = 'deleted' | 'terminating' | 'gone';

/** Options of an eviction. */
export interface EvictOptions extends KubeCallOptions {
  readonly uid?: string;
  readonly gracePeriodSeconds?: number;
}

/**
 * `blocked` says in the server's words which disruption budget refused; `status`: 429, or 500 where several budgets
 * select the pod.
 */
export type Eviction = 'evicted' | 'gone' | { readonly blocked: string; readonly status: number };

/**
 * The Kubernetes API by kind name. Objects are plain JSON: fields that `T` does not name survive a read-modify-write.
 *
 * Guarantees: an absent object is an outcome (`undefined`, `'gone'`), never an error.
 * Errors: KubeError. A kind that the client's table does not hold is a bug and throws a TypeError.
 */
export interface KubeClient {
  get<T extends KubeObject = KubeObject>(kind: string, key: ObjectKey, options?: KubeCallOptions): Promise<T | undefined>;
  /** Every object of the selection, fetched page by page. */
  list<T extends KubeObject = KubeObject>(kind: string, options?: ListOptions): Promise<ObjectList<T>>;
  listPage<T extends KubeObject = KubeObject>(kind: string, options?: PageOptions): Promise<ObjectPage<T>>;
  create<T extends KubeObject = KubeObject>(kind: string, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces the object; with a resourceVersion in it a concurrent write is a `conflict`. `undefined`: it is gone. */
  update<T extends KubeObject = KubeObject>(kind: string, object: T, options?: WriteOptions): Promise<T | undefined>;
  updateStatus<T extends KubeObject = KubeObject>(kind: string, object: T, options?: WriteOptions): Promise<T | undefined>;
  /** `undefined`: it is gone. An apply patch creates what is absent. */
  patch<T extends KubeObject = KubeObject>(kind: string, key: ObjectKey, patch: Patch): Promise<T | undefined>;
  patchStatus<T extends KubeObject = KubeObject>(kind: string, key: ObjectKey, patch: Patch): Promise<T | undefined>;
  delete(kind: string, key: ObjectKey, options?: DeleteOptions): Promise<Deletion>;
  /** Binds a pod to a node. A pod that is bound already is a `conflict`. */
  bind(pod: ObjectKey, nodeName: string, options?: KubeCallOptions): Promise<'bound' | 'gone'>;
  /** Asks for a pod to be evicted; needs no kind `Pod` in the table. */
  evict(pod: ObjectKey, options?: EvictOptions): Promise<Eviction>;
  /**
   * What happens to the selection, bookmarks included, until the server ends the watch. In-stream ERROR events are
   * thrown as the KubeError that they describe.
   */
  watch<T extends KubeObject = KubeObject>(kind: string, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
}
