import type { Budget, ConsolidationPolicy, DisruptionReason } from '../../apis/index.ts';
import type { FieldProblem } from '../../base/index.ts';
import type { MinValuesShortfall } from '../../catalog/index.ts';

/** How a command was found; the methods run in this order. */
export type DisruptionMethod = 'emptiness' | 'static-drift' | 'drift' | 'rebalance' | 'multi-node' | 'single-node';

/** What the nodes cost together, and the least that machines in their place would cost; per hour. */
export interface Prices {
  readonly pricePerHour: number;
  readonly cheapestReplacement: number;
}

/** Why a node is not disrupted. A value for events, metrics and people; pods and budgets are named `namespace/name`. */
export type Blocker =
  | { readonly kind: 'marked' }
  | { readonly kind: 'not-initialized' }
  /** The node or one of its pods is malformed, so where the pods would go is unknown. */
  | { readonly kind: 'unreadable'; readonly problem: FieldProblem }
  | { readonly kind: 'nominated'; readonly untilMs: number }
  | { readonly kind: 'unknown-node-pool'; readonly nodePoolName: string | undefined }
  | { readonly kind: 'do-not-disrupt-node' }
  /** `untilMs`: the pod asks to be left alone only until then. */
  | { readonly kind: 'do-not-disrupt-pod'; readonly pod: string; readonly untilMs?: number }
  | { readonly kind: 'pdb'; readonly pod: string; readonly budget: string }
  | { readonly kind: 'static' }
  /** A static pool has more nodes than `replicas`: the surplus goes before any is replaced. */
  | { readonly kind: 'surplus'; readonly nodePoolName: string; readonly nodes: number; readonly replicas: number }
  /** The pool's limit leaves no room for a replacement beside the node. */
  | { readonly kind: 'limit'; readonly nodePoolName: string; readonly resource: string }
  /** The pool keeps at least `minimum` (a quantity) of the resource, and would have less. */
  | { readonly kind: 'minimum'; readonly nodePoolName: string; readonly resource: string; readonly minimum: string }
  /** The replacement of the node has failed so many times in a row. It is not tried again before `untilMs`. */
  | { readonly kind: 'replacement-failed'; readonly why: string; readonly times: number; readonly untilMs: number }
  /** The provider offers nothing that the pool accepts. */
  | { readonly kind: 'nothing-offered'; readonly nodePoolName: string }
  /** No pod runs there, but CapacityBuffers have room there. */
  | { readonly kind: 'capacity-buffer'; readonly buffers: readonly string[] }
  | { readonly kind: 'policy'; readonly policy: ConsolidationPolicy }
  /** The pool never consolidates (`Never`), or the node's pods have changed too recently. */
  | { readonly kind: 'consolidate-after'; readonly consolidateAfter: string }
  /**
   * Its instance type, zone or capacity type is not (any longer) among what the pool offers, so nothing is known to be
   * cheaper.
   */
  | { readonly kind: 'unknown-price' }
  /** The pool's budget allows `allowed` nodes to go at once, and at least as many are not ready or on their way out. */
  | {
      readonly kind: 'budget';
      readonly reason: DisruptionReason;
      readonly nodePoolName: string;
      readonly allowed: number;
      readonly disrupting: number;
      readonly budget?: Budget;
    }
  /** Some pods would find no place. `isDrifted`: the node should go nevertheless. */
  | { readonly kind: 'unschedulable-pods'; readonly pods: readonly string[]; readonly isDrifted?: true }
  /** Where some pods would go is not planned, because it would take too much work. `isDrifted`: as above. */
  | { readonly kind: 'costly-pods'; readonly pods: readonly string[]; readonly isDrifted?: true }
  /** Its pods would land on a node that is still coming up. */
  | { readonly kind: 'uninitialized-target'; readonly nodeName: string }
  /** Its pods would land on a node that waits for its own pods to settle (`consolidateAfter`). */
  | { readonly kind: 'settling-target'; readonly nodeName: string }
  /** A command in progress has planned pods for it. */
  | { readonly kind: 'target' }
  /** Pods of other nodes settle within seconds: then all are evaluated together. */
  | { readonly kind: 'others-settling' }
  /** What the cheapest machines in its place would cost, and how many they would be. */
  | ({ readonly kind: 'no-cheaper-replacement'; readonly replacements: number } & Prices)
  /** Replacing spot nodes with spot nodes is switched off. */
  | ({ readonly kind: 'spot-to-spot-off' } & Prices)
  /** Too few cheaper spot types are left to choose among. */
  | ({ readonly kind: 'spot-to-spot'; readonly cheaperTypes: number } & Prices)
  /** The cheaper instance types offer less variety than `minValues` ask for. */
  | ({ readonly kind: 'min-values'; readonly shortfalls: readonly MinValuesShortfall[] } & Prices)
  /** A replacement would save `savingsPerHour`, too little for a launch and so many pods that move. */
  | { readonly kind: 'small-saving'; readonly savingsPerHour: number; readonly moves: number }
  /** It would save at most `savingsPerHour`, too little for the pods that would have to move. */
  | {
      readonly kind: 'not-worth-it';
      readonly nodePoolName: string;
      readonly score: number;
      readonly savingsPerHour: number;
    }
  /** A command about other nodes was found first; this one is evaluated after it. */
  | { readonly kind: 'after-command'; readonly method: DisruptionMethod }
  /** Time ran out before the node was evaluated. */
  | { readonly kind: 'stopped' };

/** Some pods of the node have no place to go to. */
export type UnplacedBlocker = Extract<Blocker, { readonly isDrifted?: true }>;
