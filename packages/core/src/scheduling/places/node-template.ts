import { compareText, fullBitSet } from '../../base/index.ts';
import type { BitSet, Steps } from '../../base/index.ts';
import { labels, nodeClassLabel } from '../../apis/index.ts';
import type { LabelCatalog, NodePool } from '../../apis/index.ts';
import { compilingCatalog, resourceRanks } from '../../catalog/index.ts';
import type { CompiledCatalog, ResourceRanks } from '../../catalog/index.ts';
import { groupingByDaemons } from '../../cluster/index.ts';
import type { Daemon, DaemonGroup, NodePoolView } from '../../cluster/index.ts';
import type { Resources, Taint } from '../../kube/index.ts';
import { labelRequirements, merge, requirementsOf } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { ResourceTable } from '../classes/resource-table.ts';
import type { SchedulingPolicy } from '../policy.ts';
import type { Slots } from '../slots/slots.ts';
import type { Allowance } from './fit.ts';
import { internState } from './node-state.ts';
import type { NodeState } from './node-state.ts';
import { salesOf } from './offering-source.ts';
import type { Sale } from './offering-source.ts';

/** One resource of a template's types: what is left for ordinary pods once the daemons of each type have come. */
export interface Column {
  readonly amounts: Float64Array;
  readonly ranks: ResourceRanks;
}

/**
 * A NodePool as the solver sees it: what its nodes have in common, and the columns of its types. A pool has one template for each reservation
 * that it may launch into, and one for what is bought otherwise.
 */
export interface NodeTemplate {
  readonly pool: NodePoolView;
  readonly name: string;
  readonly taints: readonly Taint[];
  readonly wellKnown: ReadonlySet<string>;
  readonly catalog: CompiledCatalog;
  readonly requirements: Requirements;
  readonly columns: readonly Column[];
  readonly resourceNames: readonly string[];
  readonly daemonGroups: readonly DaemonGroup[];
  /** Whether no node may offer less than `minValues` asks for. */
  readonly enforcesMinValues: boolean;
  /** Whether no pod may cost a node what it offers of `minValues`, be it less than they ask for. */
  readonly prefersMinValues: boolean;
  readonly states: Map<string, NodeState>;
  readonly everyType: Allowance;
  /** The reservation that its nodes are launched into. Absent: they are bought otherwise. */
  readonly reservation: string | undefined;
  /** Available offerings by which its nodes may be had: those of the reservation, or all that belong to none. */
  readonly sold: BitSet;
  /** What a node is before any pod; undefined when the pool's requirements leave no instance type. */
  readonly initial: NodeState | undefined;
}

/** What templates are made from, beside the pool. */
export interface TemplateRules {
  readonly policy: SchedulingPolicy;
  readonly daemons: readonly Daemon[];
  readonly resources: ResourceTable;
  readonly slots: Pick<Slots, 'names' | 'ofType'>;
}

/** Labels that every node of the pool will have, whatever its type. */
export const fixedLabels = (pool: NodePool): Readonly<Record<string, string>> => ({
  ...pool.spec.template.metadata?.labels,
  ...Object.fromEntries([nodeClassLabel(pool.spec.template.spec.nodeClassRef)]),
  [labels.nodePool]: pool.metadata.name,
});

/** Labels that a node gets while it joins: pods may select them, NodeClaims do not ask for them. */
export const joinedLabels = { [labels.registered]: 'true', [labels.initialized]: 'true' } as const;

const requirementsOfPool = (pool: NodePool, catalog: LabelCatalog): Requirements =>
  merge(
    requirementsOf(pool.spec.template.spec.requirements, catalog),
    labelRequirements({ ...fixedLabels(pool), ...joinedLabels }, catalog),
  );

function* makingColumns(
  catalog: CompiledCatalog,
  groups: readonly DaemonGroup[],
  { resources: { names }, slots }: TemplateRules,
): Steps<readonly Column[]> {
  const isSlot = new Set(slots.names);
  const ofSlots = slots.names.length === 0 ? [] : catalog.types.map(slots.ofType);
  const amountsOf = (name: string): Float64Array =>
    isSlot.has(name) ? Float64Array.from(ofSlots, (free) => free[name] ?? 0) : catalog.amountsOf(name);
  const isPlain = slots.names.length === 0 && groups.every(({ overhead }) => Object.keys(overhead).length === 0);
  const columnLess = (name: string): Column => {
    const amounts = amountsOf(name).slice();
    for (const { types, overhead } of groups) for (const type of types) amounts[type] = (amounts[type] ?? 0) - (overhead[name] ?? 0);
    return { amounts, ranks: resourceRanks(amounts) };
  };
  const columns: Column[] = [];
  for (const name of names) {
    columns.push(isPlain ? { amounts: catalog.amountsOf(name), ranks: catalog.ranksOf(name) } : columnLess(name));
    yield;
  }
  return columns;
}

/** What the templates of a pool have in common. */
type Mould = Omit<NodeTemplate, 'requirements' | 'enforcesMinValues' | 'prefersMinValues' | 'states' | 'reservation' | 'sold' | 'initial'>;

/**
 * One template of a pool. A reservation is one machine that is kept for us: `minValues`, which asks for a choice of machines so that a launch
 * may succeed, does not bind there.
 */
const cast = (mould: Mould, requirements: Requirements, { policy, sale }: { policy: SchedulingPolicy; sale: Sale }): NodeTemplate => {
  const { reservation, sold, wanted } = sale;
  const hasMinValues = [...requirements.values()].some(({ minValues }) => minValues !== undefined);
  const template = {
    ...mould,
    requirements: merge(requirements, wanted),
    enforcesMinValues: policy.minValues === 'Strict' && reservation === undefined && hasMinValues,
    prefersMinValues: policy.minValues === 'BestEffort' && reservation === undefined && hasMinValues,
    states: new Map<string, NodeState>(),
    reservation,
    sold,
    initial: undefined,
  };
  return Object.assign(template, { initial: internState(template, template.requirements) });
};

/** The templates of one pool, a static one too. */
export function* makingTemplatesOf(pool: NodePoolView, rules: TemplateRules): Steps<readonly NodeTemplate[]> {
  const { policy, daemons, resources } = rules;
  const { taints = [] } = pool.nodePool.spec.template.spec;
  const requirements = requirementsOfPool(pool.nodePool, policy.labelCatalog);
  const catalog = yield* compilingCatalog(pool.instanceTypes);
  const blueprint = { template: { requirements, taints }, catalog: policy.labelCatalog };
  const groups = yield* groupingByDaemons(daemons, catalog.types, blueprint);
  const mould: Mould = {
    pool,
    name: pool.nodePool.metadata.name,
    taints,
    wellKnown: policy.labelCatalog.wellKnown,
    catalog,
    resourceNames: resources.names,
    columns: yield* makingColumns(catalog, groups, rules),
    daemonGroups: groups,
    everyType: { id: '', types: fullBitSet(catalog.types.length) },
  };
  const templates = salesOf(catalog, policy).map((sale) => cast(mould, requirements, { policy, sale }));
  return templates.filter(({ reservation, initial }) => reservation === undefined || initial !== undefined);
}

/** Static pools (`replicas`) take no part; the others by weight, the heaviest first, then by name; of one pool reserved capacity first. */
export function* makingTemplates(pools: readonly NodePoolView[], rules: TemplateRules): Steps<readonly NodeTemplate[]> {
  const inTurn = pools
    .filter(({ nodePool }) => nodePool.spec.replicas === undefined)
    .sort(
      (a, b) =>
        (b.nodePool.spec.weight ?? 0) - (a.nodePool.spec.weight ?? 0) || compareText(a.nodePool.metadata.name, b.nodePool.metadata.name),
    );
  const templates: NodeTemplate[] = [];
  for (const pool of inTurn) {
    templates.push(...(yield* makingTemplatesOf(pool, rules)));
    yield;
  }
  return templates;
}

/** What daemon pods take at least on any of the types. */
export const leastOverhead = ({ daemonGroups: groups }: NodeTemplate, isCandidate: (type: number) => boolean): Resources => {
  const present = groups.filter(({ types }) => types.some(isCandidate));
  const [first, ...others] = present.map(({ overhead }) => overhead);
  const result: Record<string, number> = {};
  for (const name of Object.keys(first ?? {}))
    result[name] = Math.min(first?.[name] ?? 0, ...others.map((overhead) => overhead[name] ?? 0));
  return result;
};
