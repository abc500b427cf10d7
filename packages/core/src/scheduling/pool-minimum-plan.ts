import { addBit, emptyBitSet, hasBit, ROUNDING } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import { amountIn } from '../kube/index.ts';
import { daemonsOf, leastCapacity, shortageOf } from '../cluster/index.ts';
import type { ClusterSnapshot, NodePoolView, NodeView } from '../cluster/index.ts';
import { resourceTable } from './pod-classes/pod-class.ts';
import { fitOf, narrowedFit } from './nodes/fit.ts';
import { allowedTypesOf, countersOf, leanFit, poolLimits, sharedLimits } from './nodes/limits/limit-ledger.ts';
import type { RunningLimit } from './nodes/limits/limit-ledger.ts';
import type { Fit, NodeTemplate } from './nodes/node-model.ts';
import type { NewNode } from './nodes/new-nodes/new-node.ts';
import { makingTemplatesOf } from './nodes/node-template.ts';
import { largestCapacityOf, nodePlanner } from './planned-node.ts';
import type { PlannedNode } from './planned-node.ts';
import type { SchedulingPolicy } from './policy.ts';
import type { Resources } from '../kube/index.ts';
import { typesByPrice } from './nodes/node-state.ts';

/** Of ports and volumes nothing can be short where there is no pod. */
const noSlots = { names: [], ofType: () => ({}) };

/**
 * A planned node of the template without pods. Where the cluster has limits, no larger than its cheapest type: several
 * may be made of one plan. Where the limits allow no type, they are checked again when the node is to be created, and
 * that is reported.
 */
const emptyNewNode = (template: NodeTemplate, used: Float64Array): NewNode | undefined => {
  const { initial, everyType } = template;
  const limits = sharedLimits(template, []);
  const allowedTypes = limits.length === 0 ? everyType : allowedTypesOf(template, limits);
  const fit = initial && (fitOf(initial, used, allowedTypes) ?? fitOf(initial, used, everyType));
  return fit && { fit: limits.length === 0 ? fit : leanFit(fit, 1), allowedTypes, used, runs: [], podCount: 0 };
};

/** The templates of a pool for nodes without pods, and the resources that they are planned by. */
function* makingTemplatesWithoutPods(
  pool: NodePoolView,
  { daemonSets, clusterLimits }: Pick<ClusterSnapshot, 'daemonSets' | 'clusterLimits'>,
  policy: SchedulingPolicy,
): Steps<{ readonly templates: readonly NodeTemplate[]; readonly resourceNames: readonly string[] }> {
  const resources = resourceTable(
    pool.instanceTypes.flatMap(({ capacity }) => Object.keys(capacity)),
    noSlots.names,
  );
  const daemons = daemonsOf(daemonSets, policy.labelCatalog);
  const templates = yield* makingTemplatesOf(pool, { policy, daemons, resources, slots: noSlots, clusterLimits });
  return { templates, resourceNames: resources.names };
}

/**
 * A machine of the pool without pods, for static pools: every instance type that the pool allows and that is
 * available, the cheapest first. Undefined when there is none.
 */
export function* planningStaticNode(
  pool: NodePoolView,
  cluster: Pick<ClusterSnapshot, 'daemonSets' | 'clusterLimits'>,
  policy: SchedulingPolicy,
): Steps<PlannedNode | undefined> {
  const { templates, resourceNames } = yield* makingTemplatesWithoutPods(pool, cluster, policy);
  const used = new Float64Array(resourceNames.length);
  const newNodes = templates.flatMap((template) => {
    const newNode = emptyNewNode(template, used);
    return newNode === undefined ? [] : { isReserved: template.reservation !== undefined, newNode };
  });
  // Several machines may be made of one plan, and a reservation may have room for fewer: it is the choice where there
  // is no other.
  const chosen = newNodes.find(({ isReserved }) => !isReserved) ?? newNodes[0];
  return chosen && nodePlanner(policy, resourceNames, new Set())(chosen.newNode, []);
}

/** Nodes that a pool needs for its minimum. */
export interface MinimumRequest {
  readonly pool: NodePoolView;
  /** What the pool lacks; `nodes` counts nodes. */
  readonly shortage: Resources;
  /** Nodes that go once the planned ones are there: limits do not count them. */
  readonly leaving: readonly NodeView[];
  /** Nodes that are planned already: limits count them. */
  readonly beside: readonly PlannedNode[];
}

/**
 * The share of the shortage that one node of this capacity removes, at most that of one node where `nodes` asks for
 * several; 0: none.
 */
const coverageOf = (capacity: Resources, shortage: Resources): number => {
  const { nodes = 1, ...amounts } = shortage;
  return Math.min(1, ...Object.entries(amounts).map(([name, missing]) => (amountIn(capacity, name) * nodes) / missing));
};

/** The most nodes without pods that are made at once, for a minimum or for replicas; the next pass continues. */
export const MOST_EMPTY_NODES_AT_ONCE = 1000;

/** Prices closer than this share are equal. */

/** A type, what it costs to remove the shortage by it alone, and the share that one node of it removes. */
interface Option {
  readonly type: number;
  readonly cost: number;
  readonly coverage: number;
}

const isBetter = (a: Option, b: Option): boolean =>
  Math.abs(a.cost - b.cost) <= b.cost * ROUNDING ? a.coverage > b.coverage : a.cost < b.cost;

/**
 * The type that removes the shortage for the least money; of equals the one that removes most of it at once, then the
 * one that the catalog has first.
 */
const bestType = ({ state, types }: Fit, shortage: Resources): number | undefined => {
  const { catalog } = state.template;
  const options = typesByPrice(state).flatMap(({ type, offering }): readonly Option[] => {
    const [instanceType, priced] = [catalog.types[type], catalog.offerings[offering]];
    if (instanceType === undefined || priced === undefined || !hasBit(types, type)) return [];
    const coverage = coverageOf(instanceType.capacity, shortage);
    return coverage <= 0 ? [] : [{ type, coverage, cost: priced.pricePerHour / coverage }];
  });
  const [first, ...others] = options;
  return first && others.reduce((best, option) => (isBetter(option, best) ? option : best), first).type;
};

/** A type to buy, and the part of the shortage that it is bought for. */
interface Purchase {
  readonly type: number;
  readonly target: Resources;
}

/**
 * The type that removes most of the shortage for its price. Resources that no available type has are left out. If no
 * type has all the others, only one resource counts.
 */
const purchaseOf = (fit: Fit, shortage: Resources): Purchase | undefined => {
  const purchaseFor = (target: Resources): Purchase | undefined => {
    const type = bestType(fit, target);
    return type === undefined ? undefined : { type, target };
  };
  const whole = purchaseFor(shortage);
  if (whole !== undefined) return whole;
  const single = Object.entries(shortage).flatMap(([name, amount]) => purchaseFor({ [name]: amount }) ?? []);
  const onSale = single.reduce<Resources>((all, { target }) => ({ ...all, ...target }), {});
  return single.length > 1 ? (purchaseFor(onSale) ?? single[0]) : single[0];
};

/** The types that have at least what the purchased one has of what is short. */
const noSmallerThan = ({ catalog }: NodeTemplate, { type, target }: Purchase) => {
  const enough = emptyBitSet(catalog.types.length);
  const least = catalog.types[type]?.capacity ?? {};
  catalog.types.forEach(({ capacity }, index) => {
    if (Object.keys(target).every((name) => amountIn(capacity, name) >= amountIn(least, name))) addBit(enough, index);
  });
  return enough;
};

/**
 * Finds fits for nodes without pods, within the limits. The same choice gives the same fit, so that nodes share what is
 * made of it.
 */
const fitFinder = (
  template: NodeTemplate,
  counters: readonly RunningLimit[],
  used: Float64Array,
): ((shortage: Resources) => Fit | undefined) => {
  const known = new Map<string, Fit>();
  return (shortage) => {
    const allowedTypes = counters.length === 0 ? template.everyType : allowedTypesOf(template, counters);
    const all = template.initial && fitOf(template.initial, used, allowedTypes);
    const purchase = all && purchaseOf(all, shortage);
    if (all === undefined || purchase === undefined) return undefined;
    const key = `${allowedTypes.id} ${purchase.type} ${Object.keys(purchase.target).sort().join()}`;
    const narrowed = known.get(key) ?? narrowedFit(all, noSmallerThan(template, purchase)) ?? all;
    const fit = counters.length === 0 ? narrowed : leanFit(narrowed, 1);
    known.set(key, narrowed);
    return fit;
  };
};

/**
 * Nodes without pods that remove the shortage of a pool, within the limits of the pool and of the cluster. They are of
 * the cheapest types for it. Fewer, or none, where limits leave no room or nothing suitable is for sale.
 */
export function* planningMinimum(
  { pool, shortage, leaving, beside }: MinimumRequest,
  cluster: Pick<ClusterSnapshot, 'daemonSets' | 'clusterLimits'>,
  policy: SchedulingPolicy,
): Steps<readonly PlannedNode[]> {
  const { templates, resourceNames } = yield* makingTemplatesWithoutPods(pool, cluster, policy);
  const template = templates.find(({ reservation }) => reservation === undefined) ?? templates[0];
  if (template === undefined) return [];
  const counters = countersOf([...poolLimits(template, leaving), ...sharedLimits(template, leaving)]);
  const charge = (node: PlannedNode): void => {
    const most = largestCapacityOf(node);
    for (const counter of counters) {
      const counts = counter.pool === undefined || node.nodePoolName === pool.nodePool.metadata.name;
      if (counts) counter.used += amountIn(most, counter.resource);
    }
  };
  for (const node of beside) charge(node);
  const used = new Float64Array(resourceNames.length);
  const findFit = fitFinder(template, counters, used);
  const planNode = nodePlanner(policy, resourceNames, new Set());
  const planned: PlannedNode[] = [];
  let left = shortage;
  while (Object.keys(left).length > 0 && planned.length < MOST_EMPTY_NODES_AT_ONCE) {
    yield;
    const fit = findFit(left);
    if (fit === undefined) break;
    const node = planNode({ fit, allowedTypes: template.everyType, used, runs: [], podCount: 0 }, []);
    const after = shortageOf(left, leastCapacity(node.instanceTypes));
    if (Object.entries(left).every(([name, missing]) => after[name] === missing)) break;
    planned.push(node);
    charge(node);
    left = after;
  }
  return planned;
}
