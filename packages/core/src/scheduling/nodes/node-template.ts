import { addAt, addBit, amountAt, compareText, emptyBitSet, fullBitSet, itemAt, memoByObject, nextBit } from '../../base/index.ts';
import type { BitSet, Steps } from '../../base/index.ts';
import { capacityTypes, labels, nodeClassLabel } from '../../apis/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { SchedulingPolicy } from '../policy.ts';
import type { LabelCatalog, NodePool } from '../../apis/index.ts';
import { compilingCatalog, resourceRanks } from '../../catalog/index.ts';
import { groupingByDaemons } from '../../cluster/index.ts';
import type { ClusterLimits, Daemon, DaemonGroup, NodePoolView } from '../../cluster/index.ts';
import { amountIn } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import { labelRequirements, merge, requirementsOf } from '../../requirements/index.ts';
import type { ResourceTable } from '../pod-classes/pod-class.ts';
import type { Slots } from './node-slots.ts';
import { internState, typesByPrice } from './node-state.ts';
import { joinedLabels } from './node-model.ts';
import type { Column, MeetingOfferings, NodeState, NodeTemplate } from './node-model.ts';

/** Where a pool's machines come from: one reservation, or everything on sale outside of reservations. */
interface OfferingSource {
  readonly reservation: string | undefined;
  /** The available offerings of this source. */
  readonly launchable: BitSet;
  /** What a claim must require to be launched from this source and no other. */
  readonly requirements: Requirements;
}

const exactly = (key: string, value: string): Requirement => ({
  key,
  values: { kind: 'in', values: new Set([value]) },
  mayBeAbsent: false,
});

const requirementsFor = (reservation: string, label: string): Requirements =>
  new Map([
    [labels.capacityType, exactly(labels.capacityType, capacityTypes.reserved)],
    [label, exactly(label, reservation)],
  ]);

/**
 * The reservations of a catalog, the one with the cheapest offering first, then what is sold outside of them.
 * Reservations are left out where the policy does not use them, or where the provider has no label to ask for one by.
 */
const offeringSourcesOf = (
  { offerings, availableOfferings }: CompiledCatalog,
  { usesReservations, labelCatalog: { reservationId: label } }: SchedulingPolicy,
): readonly OfferingSource[] => {
  const unreserved = emptyBitSet(offerings.length);
  const byReservation = new Map<string, BitSet>();
  for (let offering = nextBit(availableOfferings, 0); offering >= 0; offering = nextBit(availableOfferings, offering + 1)) {
    const id = offerings[offering]?.reservation?.id;
    const launchable = id === undefined ? unreserved : (byReservation.get(id) ?? emptyBitSet(offerings.length));
    addBit(launchable, offering);
    if (id !== undefined) byReservation.set(id, launchable);
  }
  const reserved = label === undefined || !usesReservations ? [] : [...byReservation];
  return [
    ...reserved.map(([reservation, launchable]) => ({ reservation, launchable, requirements: requirementsFor(reservation, label ?? '') })),
    { reservation: undefined, launchable: unreserved, requirements: new Map() },
  ];
};

/** What templates are made from, beside the pool. */
interface TemplateRules {
  readonly policy: SchedulingPolicy;
  readonly daemons: readonly Daemon[];
  readonly resources: ResourceTable;
  readonly slots: Pick<Slots, 'names' | 'ofType'>;
  readonly clusterLimits?: ClusterLimits | undefined;
}

/** Labels that every node of the pool will have, whatever its type. */
export const fixedLabels = (pool: NodePool): Readonly<Record<string, string>> => ({
  ...pool.spec.template.metadata?.labels,
  ...Object.fromEntries([nodeClassLabel(pool.spec.template.spec.nodeClassRef)]),
  [labels.nodePool]: pool.metadata.name,
});

const poolRequirements = memoByObject((catalog: LabelCatalog) =>
  memoByObject((pool: NodePool) =>
    merge(
      requirementsOf(pool.spec.template.spec.requirements, catalog),
      labelRequirements({ ...fixedLabels(pool), ...joinedLabels }, catalog),
    ),
  ),
);

/**
 * What the pool requires, its fixed labels included. Read once for each pool: its lists may have thousands of values,
 * and what is remembered of requirements goes by their identity.
 */
export const requirementsOfPool = (pool: NodePool, catalog: LabelCatalog): Requirements => poolRequirements(catalog)(pool);

const withUniform = ({ amounts, ranks }: Column): Column => {
  const [first = 0] = amounts;
  return amounts.every((amount) => amount === first) ? { amounts, ranks, uniform: first } : { amounts, ranks };
};

function* makingColumns(
  catalog: CompiledCatalog,
  groups: readonly DaemonGroup[],
  { resources: { names }, slots }: TemplateRules,
): Steps<readonly Column[]> {
  const isSlot = new Set(slots.names);
  const ofSlots = slots.names.length === 0 ? [] : catalog.types.map(slots.ofType);
  const amountsOf = (name: string): Float64Array =>
    isSlot.has(name) ? Float64Array.from(ofSlots, (free) => amountIn(free, name)) : catalog.amountsOf(name);
  const isPlain = slots.names.length === 0 && groups.every(({ overhead }) => Object.keys(overhead).length === 0);
  const columnLess = (name: string): Column => {
    const amounts = amountsOf(name).slice();
    for (const { types, overhead } of groups) for (const type of types) addAt(amounts, type, -amountIn(overhead, name));
    return { amounts, ranks: resourceRanks(amounts) };
  };
  const columns: Column[] = [];
  for (const name of names) {
    columns.push(withUniform(isPlain ? { amounts: catalog.amountsOf(name), ranks: catalog.ranksOf(name) } : columnLess(name)));
    yield;
  }
  return columns;
}

/** What the templates of one pool share. */
type SharedTemplate = Omit<
  NodeTemplate,
  'requirements' | 'enforcesMinValues' | 'prefersMinValues' | 'states' | 'meetingOfferings' | 'reservation' | 'launchable' | 'initial'
>;

/**
 * The template of one source. `minValues` asks for a choice of machines, so that a launch is likely to succeed; a
 * reserved machine is certain, so it does not apply there.
 */
const templateOf = (
  shared: SharedTemplate,
  requirements: Requirements,
  { policy, source }: { policy: SchedulingPolicy; source: OfferingSource },
): NodeTemplate => {
  const { reservation, launchable, requirements: ofSource } = source;
  const hasMinValues = [...requirements.values()].some(({ minValues }) => minValues !== undefined);
  const template = {
    ...shared,
    requirements: merge(requirements, ofSource),
    enforcesMinValues: policy.minValues === 'Strict' && reservation === undefined && hasMinValues,
    prefersMinValues: policy.minValues === 'BestEffort' && reservation === undefined && hasMinValues,
    states: new Map<string, NodeState>(),
    meetingOfferings: new Map<string, MeetingOfferings>(),
    reservation,
    launchable,
    initial: undefined,
  };
  return Object.assign(template, { initial: internState(template, template.requirements) });
};

/** The templates of one pool, a static one too. */
export function* makingTemplatesOf(pool: NodePoolView, rules: TemplateRules): Steps<readonly NodeTemplate[]> {
  const { policy, daemons, resources } = rules;
  const taints = [...(pool.nodePool.spec.template.spec.taints ?? []), ...(pool.hookTaints ?? [])];
  const requirements = requirementsOfPool(pool.nodePool, policy.labelCatalog);
  const catalog = yield* compilingCatalog(pool.instanceTypes);
  const blueprint = { template: { requirements, taints }, labelCatalog: policy.labelCatalog };
  const groups = yield* groupingByDaemons(daemons, catalog, blueprint);
  const shared: SharedTemplate = {
    pool,
    name: pool.nodePool.metadata.name,
    clusterLimits: rules.clusterLimits,
    taints,
    wellKnown: policy.labelCatalog.wellKnown,
    catalog,
    resourceNames: resources.names,
    columns: yield* makingColumns(catalog, groups, rules),
    daemonGroups: groups,
    nodePricePerHour: policy.nodePricePerHour ?? 0,
    everyType: { id: '', types: fullBitSet(catalog.types.length) },
  };
  const templates = offeringSourcesOf(catalog, policy).map((source) => templateOf(shared, requirements, { policy, source }));
  return templates.filter(({ reservation, initial }) => reservation === undefined || initial !== undefined);
}

/**
 * Which of two pools is preferred: those whose last launch failed come last; then by weight, the heaviest first. Zero:
 * neither.
 */
export const byPreference = (a: NodePoolView, b: NodePoolView): number =>
  Number(a.isAvoided === true) - Number(b.isAvoided === true) || (b.nodePool.spec.weight ?? 0) - (a.nodePool.spec.weight ?? 0);

/** A pool, and what its nodes begin as. */
interface OfferedPool {
  readonly pool: NodePoolView;
  readonly templates: readonly NodeTemplate[];
  /** Dollars an hour and thousandth of a core of its machine that costs least by this; infinite where there is none. */
  readonly corePrice: number;
}

const corePriceOf = (templates: readonly NodeTemplate[]): number => {
  let least = Infinity;
  for (const { initial, catalog } of templates) {
    const cores = catalog.amountsOf('cpu');
    for (const { type, offering } of initial === undefined ? [] : typesByPrice(initial))
      least = Math.min(least, itemAt(catalog.offerings, offering).pricePerHour / amountAt(cores, type));
  }
  return least;
};

/**
 * The order in which pools are tried. Differs: of pools with the same weight the original takes the last by name, even
 * where another sells the same machine for less.
 */
const inOrderOfPools = (a: OfferedPool, b: OfferedPool): number =>
  byPreference(a.pool, b.pool) || a.corePrice - b.corePrice || compareText(a.pool.nodePool.metadata.name, b.pool.nodePool.metadata.name);

/** Static pools (`replicas`) take no part; the others in the order of pools; of one pool reserved capacity first. */
export function* makingTemplates(pools: readonly NodePoolView[], rules: TemplateRules): Steps<readonly NodeTemplate[]> {
  const offered: OfferedPool[] = [];
  for (const pool of pools) {
    if (pool.nodePool.spec.replicas !== undefined) continue;
    const templates = yield* makingTemplatesOf(pool, rules);
    offered.push({ pool, templates, corePrice: corePriceOf(templates) });
    yield;
  }
  return offered.sort(inOrderOfPools).flatMap(({ templates }) => templates);
}

/** What daemon pods take at least on any of the types. */
export const leastOverhead = ({ daemonGroups: groups }: NodeTemplate, isCandidate: (type: number) => boolean): Resources => {
  const present = groups.filter(({ types }) => types.some(isCandidate));
  const result: Record<string, number> = {};
  for (const name of Object.keys(present[0]?.overhead ?? {}))
    result[name] = Math.min(...present.map(({ overhead }) => amountIn(overhead, name)));
  return result;
};
