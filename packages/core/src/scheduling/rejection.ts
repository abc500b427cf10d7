import type { Pod } from '../kube/index.ts';

/** Why a pod found no place. A value for programs; `explain` makes the sentence, and only when a person reads it. */
export interface Rejection {
  readonly pod: Pod;
  readonly reason: RejectionReason;
}

export type RejectionReason =
  /** The pod itself is malformed or uses what is not supported; nothing was tried. */
  | { readonly kind: 'invalid-pod'; readonly field: string; readonly value: string; readonly problem: string }
  | { readonly kind: 'no-node-pools' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'no-place'; readonly pools: readonly PoolRejection[] };

/** Why one NodePool could not help, by the first check that failed for every instance type. */
export interface PoolRejection {
  readonly nodePoolName: string;
  readonly reason:
    | { readonly kind: 'taint'; readonly key: string; readonly value?: string; readonly effect: string }
    | { readonly kind: 'requirement'; readonly key: string; readonly wanted: string; readonly offered: string }
    | { readonly kind: 'limit'; readonly resource: string; readonly limit: number; readonly used: number }
    | { readonly kind: 'topology'; readonly constraint: string; readonly topologyKey: string }
    | { readonly kind: 'min-values'; readonly key: string; readonly wanted: number; readonly found: number }
    | { readonly kind: 'instance-types'; readonly removedBy: readonly InstanceTypeFilterCount[]; readonly total: number };
}

/** How many of the pool's instance types a check removed that the checks before it had left. */
export interface InstanceTypeFilterCount {
  readonly check: 'requirements' | 'resources' | 'offerings' | 'limits';
  readonly detail: string;
  readonly removed: number;
}
