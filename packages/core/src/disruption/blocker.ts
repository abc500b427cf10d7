import type { ConsolidationPolicy, DisruptionReason } from '../apis/index.ts';

/** Why a node stays. A value for events, metrics and people; pods and budgets are named `namespace/name`. */
export type Blocker =
  | { readonly kind: 'marked' }
  | { readonly kind: 'not-initialized' }
  | { readonly kind: 'nominated'; readonly untilMs: number }
  | { readonly kind: 'unknown-node-pool'; readonly nodePoolName: string | undefined }
  | { readonly kind: 'do-not-disrupt-node' }
  | { readonly kind: 'do-not-disrupt-pod'; readonly pod: string }
  | { readonly kind: 'pdb'; readonly pod: string; readonly budget: string }
  | { readonly kind: 'static' }
  | { readonly kind: 'policy'; readonly policy: ConsolidationPolicy }
  /** The pool never consolidates (`Never`), or the node's pods have changed too recently. */
  | { readonly kind: 'consolidate-after'; readonly consolidateAfter: string }
  /** Its instance type, zone or capacity type is not (any longer) among what the pool offers, so nothing is known to be cheaper. */
  | { readonly kind: 'unknown-price' }
  | { readonly kind: 'budget'; readonly reason: DisruptionReason; readonly nodePoolName: string }
  | { readonly kind: 'unschedulable-pods'; readonly pods: readonly string[] }
  /** Its pods would land on a node that is still coming up. */
  | { readonly kind: 'uninitialized-target'; readonly nodeName: string }
  | { readonly kind: 'needs-several-nodes'; readonly count: number }
  | { readonly kind: 'no-cheaper-replacement'; readonly pricePerHour: number; readonly cheapestReplacement: number }
  /** Replacing spot by spot is switched off, or too few cheaper types are left to choose among. */
  | { readonly kind: 'spot-to-spot'; readonly cheaperTypes: number }
  /** Time ran out before the node was looked at. */
  | { readonly kind: 'stopped' };
