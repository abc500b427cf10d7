import type { LaunchBlock } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';

/** What would help a pod that no NodePool could take. Amounts: cpu in thousandths, memory in bytes, else counts. */
export type Hint =
  /** More than any instance type of any pool leaves for pods. `meant`: the quantity that was probably meant. */
  | { readonly kind: 'too-large'; readonly resource: string; readonly wanted: number; readonly most: number; readonly meant?: string }
  | { readonly kind: 'unknown-resource'; readonly resource: string; readonly nearest?: string }
  /** A label that no pool sets and no provider knows. */
  | { readonly kind: 'unknown-label'; readonly key: string; readonly nearest?: string }
  /** Values that no pool allows. `offered`: those that some pool does, by name. */
  | {
      readonly kind: 'unknown-value';
      readonly key: string;
      readonly values: readonly string[];
      readonly offered: readonly string[];
      readonly nearest?: string;
    };

/** Why a pod is refused before anything of it is tried. A unit is about 3 µs of planning. */
export interface TooComplex {
  readonly kind: 'too-complex';
  /** What planning the pod would cost. */
  readonly units: number;
  /** What may be spent on one pod. */
  readonly most: number;
  /** What costs most, in words: `12,000 node affinity terms`. */
  readonly largest: string;
}

/** Distinguishes this reason from the other values of a union. */
export const isTooComplex = (value: object): value is TooComplex => 'kind' in value && value.kind === 'too-complex';

/** Why a pod found no place. A value for programs; `explain` makes the sentence, and only when a person reads it. */
export interface Rejection {
  readonly pod: Pod;
  readonly reason: RejectionReason;
}

/** The reasons why a pod is rejected: a closed union, distinguished by `kind`. */
export type RejectionReason =
  /** The pod itself is malformed or uses what is not supported; nothing was tried. */
  | { readonly kind: 'invalid-pod'; readonly field: string; readonly value: string; readonly problem: string }
  /** The pod asks for nodes without the label `karpenter.sh/nodepool`: none that Karpenter launches will do. */
  | { readonly kind: 'opted-out' }
  | { readonly kind: 'no-node-pools' }
  | { readonly kind: 'stopped' }
  /** Planning the pod would cost more than is spent on any pod; nothing was tried. */
  | TooComplex
  /** The work of this plan went to other pods; the next plan begins with this one. */
  | { readonly kind: 'postponed' }
  /**
   * Its pod group needs places for `minMember` pods together, and only `placed` of them would have one, those that run
   * included. `members`: how many run or wait. `lacking`: why one of its pods found no place; absent where the group
   * has too few pods.
   */
  | {
      readonly kind: 'pod-group';
      readonly group: string;
      readonly minMember: number;
      readonly placed: number;
      readonly members: number;
      readonly lacking?: Rejection;
    }
  /** One entry for each NodePool, in the order in which they were tried, and what would help where no pool could. */
  | { readonly kind: 'no-place'; readonly pools: readonly PoolRejection[]; readonly hints: readonly Hint[] };

/**
 * Why one NodePool could not help, by the first check that failed for every instance type. Amounts: cpu in thousandths,
 * memory in bytes, else counts. Of a limit, `least` is what the smallest instance type that would do takes of it.
 */
export interface PoolRejection {
  readonly nodePoolName: string;
  readonly reason:
    /**
     * Nothing was tried: it launches nothing for now. `foreign`: its NodeClass is of another provider. `malformed`: it
     * cannot be read.
     */
    | { readonly kind: 'closed'; readonly by: LaunchBlock | 'foreign' | 'malformed' }
    | { readonly kind: 'taint'; readonly key: string; readonly value?: string; readonly effect: string }
    | { readonly kind: 'requirement'; readonly key: string; readonly wanted: string; readonly offered: string }
    | {
        readonly kind: 'limit';
        /** Whose limit it is. Absent: the pool's. */
        readonly of?: 'cluster';
        readonly resource: string;
        readonly limit: number;
        readonly used: number;
        readonly least: number;
      }
    | { readonly kind: 'topology'; readonly constraint: string; readonly topologyKey: string }
    | { readonly kind: 'min-values'; readonly key: string; readonly wanted: number; readonly found: number }
    | { readonly kind: 'instance-types'; readonly removedBy: readonly InstanceTypeFilterCount[]; readonly total: number };
}

/** How many of the pool's instance types a check removed that the checks before it had left. */
export interface InstanceTypeFilterCount {
  /**
   * `daemons`: those would fit the pod alone, but not beside the pods of DaemonSets. `reservations`: those are sold
   * only out of reservations that are used up. `devices`: those lack what the pod's ResourceClaims ask for.
   */
  readonly check: 'requirements' | 'resources' | 'daemons' | 'offerings' | 'reservations' | 'devices' | 'limits';
  readonly detail: string;
  readonly removed: number;
}
