import type { Pod, PodSpec, TopologySpreadConstraint } from '../kube/index.ts';
import { defaultLabelCatalog } from '../requirements/index.ts';
import type { LabelCatalog } from '../requirements/index.ts';
import type { UnsupportedVolumes } from './volumes/unsupported-volumes.ts';
import { WeakMemory, getOrMake, memoByObject } from '../base/index.ts';
import { defaultSelectors } from '../cluster/index.ts';
import type { ClusterSnapshot, DefaultSelector } from '../cluster/index.ts';

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
  /**
   * What a replacement by consolidation must save for each moved pod, in dollars an hour; ten times as much for each
   * launched machine. A replacement that saves a tenth of the price is exempt. 0: any saving is enough. Default
   * 0.001.
   */
  readonly movePricePerHour?: number;
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

type Constraints = readonly TopologySpreadConstraint[];

/** Selector → the spec with the default spread over the pods that it picks. */
type Spread = Map<string, PodSpec>;
const newSpread = (): Spread => new Map();

/** A spec seen with more selectors than this belongs to workloads that come and go: then it is forgotten. */
const MOST_SELECTORS = 256;

/** What is worked out about a spec is remembered by its identity, so the same one is given in every pass. */
const memoryOf = memoByObject((_: Constraints) => new WeakMemory<PodSpec, Spread>());

const specReader = (constraints: Constraints): ((spec: PodSpec, over: DefaultSelector) => PodSpec) => {
  const memory = memoryOf(constraints);
  return (spec, { text, selector }) => {
    const known = getOrMake(memory, spec, newSpread);
    return getOrMake(known, text, () => {
      if (known.size === MOST_SELECTORS) known.clear();
      return { ...spec, topologySpreadConstraints: constraints.map((each) => ({ ...each, labelSelector: selector })) };
    });
  };
};

/**
 * Pod → the pod as kube-scheduler sees it. Adds the cluster's default spread if the pod has no spread of its own and
 * belongs to a Service or workload. The given pod is never changed.
 */
export const defaultSpread = (
  { podSelectors = [] }: Pick<ClusterSnapshot, 'podSelectors'>,
  { defaultSpread: constraints = [] }: Pick<SchedulingPolicy, 'defaultSpread'>,
): ((pod: Pod) => Pod) => {
  if (constraints.length === 0 || podSelectors.length === 0) return (pod) => pod;
  const selectorOf = defaultSelectors(podSelectors);
  const specOf = specReader(constraints);
  return (pod) => {
    if ((pod.spec.topologySpreadConstraints?.length ?? 0) > 0) return pod;
    const over = selectorOf(pod);
    return over === undefined ? pod : { ...pod, spec: specOf(pod.spec, over) };
  };
};
