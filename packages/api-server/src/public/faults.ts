/** Verbs as Kubernetes audit logs name them. */
export type ApiVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** What a fault does to a matching HTTP request. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'refuse'; readonly code: 409 | 429 | 500 | 503 | 504; readonly retryAfterSeconds?: number | undefined }
  /** The connection is reset, before (when left out) or after the request took effect. */
  | { readonly kind: 'reset'; readonly when?: 'before' | 'after' };

/**
 * Which requests a fault meets, and how often. Without `times` and `probability` it meets every match until it is disposed.
 */
export interface Fault {
  readonly effect: FaultEffect;
  readonly verbs?: readonly ApiVerb[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** 0..1; drawn from the seed of the server, so that a run repeats. */
  readonly probability?: number | undefined;
  readonly times?: number | undefined;
}

/** Makes the server misbehave over HTTP. The in-process API is never affected. */
export interface Faults {
  /** Injects until disposed or until `times` is used up. */
  inject(fault: Fault): Disposable;
  /** Ends open watches of the kinds (all without an argument) by resetting their connection. Returns how many. */
  dropWatches(kinds?: readonly string[]): number;
  /** Delays watch events of the kinds until disposed; then they are delivered in order. Lists stay current. */
  staleWatches(kinds?: readonly string[]): Disposable;
  /**
   * Freezes what reads with `resourceVersion=0` and watches see, until disposed: a lagging watch cache. Quorum reads
   * stay current.
   */
  freezeCache(): Disposable;
  /** Forgets the history, so that a watch from any earlier resourceVersion answers 410 Gone. */
  compact(): void;
}
