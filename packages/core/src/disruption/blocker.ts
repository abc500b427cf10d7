import type { Budget, ConsolidationPolicy, DisruptionReason } from '../apis/index.ts';
import type { FieldProblem } from '../base/index.ts';
import type { MinValuesShortfall } from '../catalog/index.ts';
import type { DisruptionMethod } from './command.ts';

/** What the nodes cost together, and at least the machines that would take their place; per hour. */
export interface Prices {
  readonly pricePerHour: number;
  readonly cheapestReplacement: number;
}

/** Why a node stays. A value for events, metrics and people; pods and budgets are named `namespace/name`. */
export type Blocker =
  | { readonly kind: 'marked' }
  | { readonly kind: 'not-initialized' }
  /** Something about the node or its pods is not what Kubernetes writes, so that where they would go cannot be said. */
  | { readonly kind: 'unreadable'; readonly problem: FieldProblem }
  | { readonly kind: 'nominated'; readonly untilMs: number }
  | { readonly kind: 'unknown-node-pool'; readonly nodePoolName: string | undefined }
  | { readonly kind: 'do-not-disrupt-node' }
  /** `untilMs` where the pod asks for a time only. */
  | { readonly kind: 'do-not-disrupt-pod'; readonly pod: string; readonly untilMs?: number }
  | { readonly kind: 'pdb'; readonly pod: string; readonly budget: string }
  | { readonly kind: 'static' }
  /** A static pool has more nodes than it wants: it gives some up before it replaces any. */
  | { readonly kind: 'surplus'; readonly nodePoolName: string; readonly nodes: number; readonly replicas: number }
  /** The pool's limit leaves no room for a replacement beside the node. */
  | { readonly kind: 'limit'; readonly nodePoolName: string; readonly resource: string }
  /** Nothing that the pool asks for is for sale. */
  | { readonly kind: 'nothing-offered'; readonly nodePoolName: string }
  | { readonly kind: 'policy'; readonly policy: ConsolidationPolicy }
  /** The pool never consolidates (`Never`), or the node's pods have changed too recently. */
  | { readonly kind: 'consolidate-after'; readonly consolidateAfter: string }
  /** Its instance type, zone or capacity type is not (any longer) among what the pool offers, so nothing is known to be cheaper. */
  | { readonly kind: 'unknown-price' }
  /** The pool's budget allows so many nodes to go at once, and as many, or more, are not ready or on their way out. */
  | {
      readonly kind: 'budget';
      readonly reason: DisruptionReason;
      readonly nodePoolName: string;
      readonly allowed: number;
      readonly disrupting: number;
      readonly budget?: Budget;
    }
  /** `isDrifted`: the node ought to go all the same. */
  | { readonly kind: 'unschedulable-pods'; readonly pods: readonly string[]; readonly isDrifted?: true }
  /** Its pods would land on a node that is still coming up. */
  | { readonly kind: 'uninitialized-target'; readonly nodeName: string }
  /** Its pods would land on a node that waits for its own pods to settle (`consolidateAfter`). */
  | { readonly kind: 'settling-target'; readonly nodeName: string }
  /** What the cheapest machines in its place would cost, and how many they would be. */
  | ({ readonly kind: 'no-cheaper-replacement'; readonly replacements: number } & Prices)
  /** Replacing spot by spot is switched off. */
  | ({ readonly kind: 'spot-to-spot-off' } & Prices)
  /** Too few cheaper spot types are left to choose among. */
  | ({ readonly kind: 'spot-to-spot'; readonly cheaperTypes: number } & Prices)
  /** What is cheaper is less various than `minValues` ask. */
  | ({ readonly kind: 'min-values'; readonly shortfalls: readonly MinValuesShortfall[] } & Prices)
  /** It would save something (so much at most), but too little for the pods that would have to move. */
  | {
      readonly kind: 'not-worth-it';
      readonly nodePoolName: string;
      readonly score: number;
      readonly savingsPerHour: number;
    }
  /** A command about other nodes was found first; this one is looked at after it. */
  | { readonly kind: 'after-command'; readonly method: DisruptionMethod }
  /** Time ran out before the node was looked at. */
  | { readonly kind: 'stopped' };
