import { addBit, emptyBitSet, getOrMake, isEmptyBitSet, itemAt, memoByKey, memoByObject, nextBit } from '../../../base/index.ts';
import type { BitSet } from '../../../base/index.ts';
import { amountIn, resourcesOf } from '../../../kube/index.ts';
import type { Resources } from '../../../kube/index.ts';
import { keepsVariety, narrowedFit } from '../fit.ts';
import type { AllowedTypes, Fit, NodeTemplate } from '../node-model.ts';
import type { NodePoolView, NodeView } from '../../../cluster/index.ts';
import type { ChargedLimits, NewNode } from '../new-nodes/new-node.ts';
import { ReservationLedger } from './reservation-ledger.ts';

const withoutLargerTypes = (fit: Fit, times: number): Fit => {
  const { catalog, pool, clusterLimits } = fit.state.template;
  const resources = Object.keys({ ...resourcesOf(pool.nodePool.spec.limits), ...clusterLimits?.limits });
  const cheapest = itemAt(catalog.types, fit.cheapest.type).capacity;
  const small = emptyBitSet(catalog.types.length);
  catalog.types.forEach(({ capacity }, type) => {
    if (resources.every((resource) => amountIn(capacity, resource) <= amountIn(cheapest, resource) * times)) addBit(small, type);
  });
  const lean = narrowedFit(fit, small);
  return lean !== undefined && keepsVariety(fit, lean) ? lean : fit;
};

const leanFitsOf = memoByObject((fit: Fit) => memoByKey((times: number) => withoutLargerTypes(fit, times)));

/**
 * The fit without types more than `times` as large as its cheapest one, in the resources that the pool or the cluster
 * limits; the fit itself where `minValues` needs the larger types. Remembered.
 */
export const leanFit = (fit: Fit, times: number): Fit => leanFitsOf(fit)(times);

/** A limit, and how much of it is used. */
interface Limit {
  /** Absent: the nodes of all pools count, by the limits of the cluster. */
  readonly pool?: NodePoolView;
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}

/**
 * What the limits of a pool and of the cluster still allow, while new nodes are charged to them. A node is charged at
 * the size of its cheapest type; `keptWithin` later keeps it from being launched larger than the limits allow.
 */
export interface LimitLedger extends ChargedLimits {
  /** Types that may still be launched; none once the pool has reached its limit of nodes. */
  readonly allowedTypes: () => AllowedTypes;
  readonly limits: () => readonly Limit[];
  readonly isLimited: boolean;
  /** Whether the limits allow no further machine. */
  readonly isExhausted: () => boolean;
}

const NODES = 'nodes';

const usageLess = (usage: Resources, resource: string, gone: readonly NodeView[]): number =>
  gone.reduce((used, { capacity }) => used - (resource === NODES ? 1 : amountIn(capacity, resource)), amountIn(usage, resource));

/** The limits of a pool and what its nodes use of them. Nodes that count as gone and nodes marked for deletion use nothing. */
export const poolLimits = ({ pool }: NodeTemplate, gone: readonly NodeView[]): readonly Limit[] => {
  const limits = Object.entries(resourcesOf(pool.nodePool.spec.limits));
  if (limits.length === 0) return [];
  const own = gone.filter(({ nodePoolName }) => nodePoolName === pool.nodePool.metadata.name);
  return limits.map(([resource, limit]) => ({ pool, resource, limit, used: usageLess(pool.usage, resource, own) }));
};

/** The same of the cluster. Nodes that belong to no pool use nothing. */
export const sharedLimits = ({ clusterLimits }: Pick<NodeTemplate, 'clusterLimits'>, gone: readonly NodeView[]): readonly Limit[] => {
  if (clusterLimits === undefined) return [];
  const { limits, usage } = clusterLimits;
  const own = gone.filter(({ nodePoolName }) => nodePoolName !== undefined);
  return Object.entries(limits).map(([resource, limit]) => ({ resource, limit, used: usageLess(usage, resource, own) }));
};

const largestKnown = new WeakMap<BitSet, Map<string, number>>();

const findLargest = ({ catalog }: NodeTemplate, types: BitSet, resource: string): number => {
  let most = 0;
  for (let type = nextBit(types, 0); type >= 0; type = nextBit(types, type + 1)) {
    most = Math.max(most, amountIn(itemAt(catalog.types, type).capacity, resource));
  }
  return most;
};

/**
 * The most of a resource that any of the types has; 1 for `nodes`. Remembered, because thousands of nodes share a few
 * sets of types.
 */
const largest = (template: NodeTemplate, types: BitSet, resource: string): number => {
  if (resource === NODES) return 1;
  const ofTypes = getOrMake(largestKnown, types, () => new Map<string, number>());
  return getOrMake(ofTypes, resource, () => findLargest(template, types, resource));
};

const isWithin = (capacity: Resources, limits: readonly Limit[]): boolean =>
  limits.every(({ resource, limit, used }) => (resource === NODES ? 1 : amountIn(capacity, resource)) <= limit - used);

/**
 * Whether every node may be kept to the size of its cheapest type: no `minValues` ask for more, and no type comes in
 * several sizes.
 */
const isFreeToBeLean = ({ enforcesMinValues, prefersMinValues, catalog }: NodeTemplate): boolean =>
  !enforcesMinValues && !prefersMinValues && catalog.sizesOfType.length === 0;

/**
 * What a node is charged: the largest that it can be once kept to the size of its cheapest type. Mostly that is the
 * cheapest type itself.
 */
const chargeOf = (fit: Fit, resource: string): number => {
  const { template } = fit.state;
  if (resource !== NODES && isFreeToBeLean(template)) return amountIn(itemAt(template.catalog.types, fit.cheapest.type).capacity, resource);
  return largest(template, leanFit(fit, 1).types, resource);
};

/** Fit → how many of the nodes have it. */
const tallied = (newNodes: readonly NewNode[]): ReadonlyMap<Fit, number> => {
  const counts = new Map<Fit, number>();
  for (const { fit } of newNodes) counts.set(fit, (counts.get(fit) ?? 0) + 1);
  return counts;
};

/** Whether the limits allow so many nodes of each fit, each charged as given. */
const leaves = (limits: readonly Limit[], counts: ReadonlyMap<Fit, number>, charge: (fit: Fit, resource: string) => number): boolean =>
  limits.every(({ pool, resource, limit, used }) => {
    let sum = used;
    for (const [fit, count] of counts) if (pool === undefined || pool === fit.state.template.pool) sum += charge(fit, resource) * count;
    return sum <= limit;
  });

/** Whether the limits allow all these nodes, each kept to the size of its cheapest type. */
export const keepsLimits = (limits: readonly Limit[], newNodes: readonly NewNode[]): boolean => leaves(limits, tallied(newNodes), chargeOf);

/**
 * How many times larger than its cheapest type a node may be launched, most first: freedom helps when the cloud is out
 * of one size.
 */
const LARGER = [8, 4, 2, 1];

/**
 * The same new nodes with as many larger types as the limits allow even if every node is launched at its largest. They
 * must keep the limits already.
 */
export const keptWithin = (newNodes: readonly NewNode[], limits: readonly Limit[]): readonly NewNode[] => {
  if (limits.length === 0) return newNodes;
  const counts = tallied(newNodes);
  const isKept = (of: (fit: Fit) => Fit): boolean =>
    leaves(limits, counts, (fit, resource) => largest(fit.state.template, of(fit).types, resource));
  if (isKept((fit) => fit)) return newNodes;
  const times = LARGER.find((each) => isKept((fit) => leanFit(fit, each))) ?? 1;
  return newNodes.map((newNode) => ({ ...newNode, fit: leanFit(newNode.fit, times) }));
};

/** The largest capacity of any type of the pool, limit by limit. */
const largestOfAll = (template: NodeTemplate, limits: readonly Limit[]): readonly number[] =>
  limits.map(({ resource }) => largest(template, template.everyType.types, resource));

/** The types that the limits allow for one more node. */
export const allowedTypesOf = (template: NodeTemplate, limits: readonly Limit[]): AllowedTypes => {
  const { types } = template.catalog;
  const allowed = emptyBitSet(types.length);
  types.forEach(({ capacity }, type) => {
    if (isWithin(capacity, limits)) addBit(allowed, type);
  });
  return { id: `${allowed.join('.')}:`, types: allowed };
};

/** A limit while nodes are charged to it. */
export type RunningLimit = { -readonly [Key in keyof Limit]: Limit[Key] };

export const countersOf = (limits: readonly Limit[]): readonly RunningLimit[] => limits.map((limit) => ({ ...limit }));

/**
 * The ledger of a pool. `shared` counts what the cluster limits, for the ledgers of all pools; without it the ledger
 * stands alone. `charge` and `allows` run for most pods that are placed, so they allocate nothing.
 */
export const limitLedger = (
  template: NodeTemplate,
  gone: readonly NodeView[],
  shared: readonly RunningLimit[] = countersOf(sharedLimits(template, gone)),
): LimitLedger => {
  const counters = [...countersOf(poolLimits(template, gone)), ...shared];
  const largestTypes = largestOfAll(template, counters);
  const current = (): AllowedTypes => {
    const areLimitsFar = counters.every(({ limit, used }, index) => limit - used >= itemAt(largestTypes, index));
    return areLimitsFar ? template.everyType : allowedTypesOf(template, counters);
  };
  /** Limit by limit. There are few fits. */
  const chargesOf = memoByKey((fit: Fit): readonly number[] => counters.map(({ resource }) => chargeOf(fit, resource)));
  const nothing = counters.map(() => 0);
  /** Whether the limits allow what the fit takes more than the one before it. */
  const areWithin = (after: readonly number[], earlier: readonly number[]): boolean => {
    for (let index = 0; index < counters.length; index++) {
      const { limit, used } = itemAt(counters, index);
      if (itemAt(after, index) - itemAt(earlier, index) > Math.max(0, limit - used)) return false;
    }
    return true;
  };
  let known: { readonly types: AllowedTypes; readonly used: readonly number[] } | undefined;
  const allowedTypes = (): AllowedTypes => {
    if (known === undefined || counters.some(({ used }, index) => used !== known?.used[index]))
      known = { types: current(), used: counters.map(({ used }) => used) };
    return known.types;
  };
  return {
    allowedTypes,
    limits: () => countersOf(counters),
    isLimited: counters.length > 0,
    isExhausted: () => counters.length > 0 && isEmptyBitSet(allowedTypes().types),
    allows: (fit, before) => counters.length === 0 || areWithin(chargesOf(fit), before === undefined ? nothing : chargesOf(before)),
    charge: (fit, before) => {
      if (counters.length === 0) return true;
      const [after, earlier] = [chargesOf(fit), before === undefined ? nothing : chargesOf(before)];
      if (!areWithin(after, earlier)) return false;
      for (const [index, counter] of counters.entries()) counter.used += itemAt(after, index) - itemAt(earlier, index);
      return true;
    },
  };
};

/** The limits of a pool for nodes out of one reservation: nothing is allowed once that is used up. */
const reservedLedger = (ledger: LimitLedger, reservation: string, reservations: ReservationLedger): LimitLedger => ({
  ...ledger,
  allowedTypes: (): AllowedTypes => {
    const allowedTypes = ledger.allowedTypes();
    return reservations.hasLeft(reservation) ? allowedTypes : { id: 'used up:', types: emptyBitSet(allowedTypes.types.length * 32) };
  },
  charge: (fit, before) => {
    const isCharged = ledger.charge(fit, before);
    if (isCharged && before === undefined) reservations.take(reservation);
    return isCharged;
  },
});

/**
 * Template → its ledger, for one answer. All share the limits of the cluster, templates of one pool its limits, and
 * templates of one reservation share what remains of it.
 */
export const limitLedgers = (
  templates: readonly NodeTemplate[],
  gone: readonly NodeView[],
  openReservations: ReadonlyMap<string, number>,
): ReadonlyMap<NodeTemplate, LimitLedger> => {
  const reservations = new ReservationLedger(openReservations);
  const [any] = templates;
  const shared = any === undefined ? [] : countersOf(sharedLimits(any, gone));
  const ofPool = new Map<NodePoolView, LimitLedger>();
  return new Map(
    templates.map((template) => {
      const ledger = getOrMake(ofPool, template.pool, () => limitLedger(template, gone, shared));
      const { reservation } = template;
      return [template, reservation === undefined ? ledger : reservedLedger(ledger, reservation, reservations)];
    }),
  );
};
