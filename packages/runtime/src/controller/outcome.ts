/** What a reconcile wants next. */
export type Outcome = { readonly kind: 'settled' } | { readonly kind: 'requeue'; readonly afterMs: number };

/** Nothing more to do until the object changes. */
export const settled: Outcome = { kind: 'settled' };

/** Reconcile again after `afterMs`, or when the object changes, whichever is first. */
export const requeueAfter = (afterMs: number): Outcome => ({ kind: 'requeue', afterMs });
