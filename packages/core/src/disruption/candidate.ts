import type { NodePoolView, NodeView } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';

/** A node that may be given up, and what that costs. */
export interface Candidate {
  readonly node: NodeView;
  readonly nodePool: NodePoolView;
  /** Pods that will need a new place. */
  readonly reschedulablePods: readonly Pod[];
  /** Of the offering that the node was bought by; 0 when that is not known. */
  readonly pricePerHour: number;
  /** 1 for the node, and for each reschedulable pod what `evictionCost` says, but nothing below zero. */
  readonly disruptionCost: number;
}
