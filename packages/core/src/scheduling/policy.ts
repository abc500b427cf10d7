import type { Pod, TopologySpreadConstraint } from '../kube/index.ts';
import { defaultLabelCatalog } from '../requirements/index.ts';
import type { LabelCatalog } from '../requirements/index.ts';
import type { UnsupportedVolumes } from './volumes/unsupported-volumes.ts';

/** How to decide, beside the snapshot. */
export interface SchedulingPolicy {
  readonly labelCatalog: LabelCatalog;
  /** Volumes that no node of the provider can have: their pods are rejected. Default: none. */
  readonly unsupportedVolumes?: UnsupportedVolumes;
  /**
   * `Respect`: pods get the heaviest preferences that can be had together, whatever they cost. `Weigh`: the same, where
   * each costs at most `preferencePricePerHour` by its weight. `Ignore`: only what is required counts.
   */
  readonly preferences: 'Respect' | 'Weigh' | 'Ignore';
  /** What a preference of weight 100 may cost a pod under `Weigh`, in dollars an hour. Default 0.01. */
  readonly preferencePricePerHour?: number;
  /** What a node costs beside its machine, such as a license per node, in dollars an hour. Default 0. */
  readonly nodePricePerHour?: number;
  readonly minValues: 'Strict' | 'BestEffort';
  /** `cheapest` improves the plan while `shouldStop` allows; `first-fit` answers as the original does. */
  readonly packing: 'cheapest' | 'first-fit';
  /** Most instance types that a NodeClaim names (the cheapest ones). Default 600. */
  readonly maxInstanceTypes: number;
  /** Whether reserved capacity is launched into, and before any other of its pool. Default true. */
  readonly usesReservations: boolean;
  /**
   * The cluster's default constraints, for pods that have no spread of their own: as kube-scheduler has them, without
   * selectors, which come from the snapshot's `podSelectors`. Default: none. Best one array for all decisions: what is
   * worked out is remembered by its identity.
   */
  readonly defaultSpread?: readonly TopologySpreadConstraint[];
  /** Names of nodes that count as gone: their reschedulable pods are placed again. Disruption simulates with it. */
  readonly without?: ReadonlySet<string>;
  /** What the last plan postponed: this one begins with it. Default: nothing. */
  readonly postponed?: readonly Pod[];
  /** Which share of the usual work this plan may do; the rest waits for the next. Default: 1. */
  readonly portion?: number;
  /** The moment of the decision, in epoch ms. Without it a `do-not-disrupt` that runs out counts as lasting. */
  readonly nowMs?: number;
}

/**
 * About 7 dollars a month for a preference of full weight: the cheaper zone or an idle node, and no machine for a pod
 * alone.
 */
export const PREFERENCE_PRICE_PER_HOUR = 0.01;

/** The default policy of the controller. Replace its `labelCatalog` with the provider's. */
export const defaultSchedulingPolicy: SchedulingPolicy = {
  labelCatalog: defaultLabelCatalog,
  preferences: 'Respect',
  minValues: 'Strict',
  packing: 'cheapest',
  maxInstanceTypes: 600,
  usesReservations: true,
};
