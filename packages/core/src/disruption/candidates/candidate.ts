import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';

/** A node that may be disrupted, its price, and the cost of disrupting it. */
export interface Candidate {
  readonly node: NodeView;
  readonly nodePool: NodePoolView;
  /** Pods that will need a new place. */
  readonly reschedulablePods: readonly Pod[];
  /** The price of the node's offering, and what a node costs beside its machine; 0 when the offering is not known. */
  readonly pricePerHour: number;
  /** 1 for the node plus the `evictionCost` of each reschedulable pod, negative ones counting as 0. */
  readonly disruptionCost: number;
}
