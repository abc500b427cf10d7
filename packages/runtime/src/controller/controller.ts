import type { CacheChange } from '../cache/object-cache.ts';
import type { ObjectKey } from '../objects/object-key.ts';

/** What a reconcile wants next. */
export type Outcome = { readonly kind: 'settled' } | { readonly kind: 'requeue'; readonly afterMs: number };

/** Nothing more to do until the object changes. */
export const settled: Outcome = { kind: 'settled' };

/** Reconcile again after `afterMs`, or when the object changes, whichever is first. */
export const requeueAfter = (afterMs: number): Outcome => ({ kind: 'requeue', afterMs });

/** What the loop gives to a reconcile. */
export interface ReconcileContext {
  /** Aborted when the process shuts down or leadership is lost. */
  readonly signal: AbortSignal;
  /**
   * For a reconcile that contains a bug itself and goes on: counts and logs it as if it had been thrown. Loops always
   * give it.
   */
  readonly foundBug?: (error: unknown) => void;
}

/** Another kind whose changes concern objects of the controller's kind. */
export interface Watch {
  readonly kind: string;
  /** Keys of the controller's kind to reconcile again; may be empty. The object is what the cache of the kind holds. */
  keysFor(change: CacheChange<unknown>): readonly ObjectKey[];
}

/** A watch with the object's type at the place of use; the cache of `kind` must hold objects of type `T`. */
export const watchOf = <T>(kind: string, keysFor: (change: CacheChange<T>) => readonly ObjectKey[]): Watch => ({
  kind,
  keysFor: (change) => keysFor(change as CacheChange<T>),
});

/**
 * Brings the world in line with one object of a kind, again and again. Level, not edge: it is given the object as the
 * cache holds it now, never what happened. Objects that are gone are not given.
 */
export interface Controller<T = unknown> {
  /** `nodeclaim.expiration`: in logs and metrics. */
  readonly name: string;
  readonly kind: string;
  /** Objects worked on at a time; 1 when left out. */
  readonly concurrency?: number;
  readonly watches?: readonly Watch[];
  /**
   * Failures are thrown and retried with backoff. So is anything else that is thrown, which is a bug (see `isFailure`): it is
   * counted in `controller_runtime_reconcile_bugs_total` and logged once with its stack.
   */
  reconcile(object: T, context: ReconcileContext): Promise<Outcome>;
}

/**
 * Work that belongs to no object: it runs once at the start and then whenever its last outcome asked. A settled one
 * runs no more.
 */
export interface SingletonController {
  readonly name: string;
  /** Resolves when there is something to do, however long that takes; the reconcile follows. Left out: there always is. */
  untilWork?(context: ReconcileContext): Promise<void>;
  /**
   * One that does not come back makes the process unhealthy (`ManagerOptions.stuckAfterMs`): what may take long is done
   * a part at a time.
   */
  reconcile(context: ReconcileContext): Promise<Outcome>;
}
