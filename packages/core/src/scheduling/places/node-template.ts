import { compareText, fullBitSet } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
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
import type { Allowance } from './fit.ts';
import { internState } from './node-state.ts';
import type { NodeState } from './node-state.ts';

/** One resource of a template's types: what is left for ordinary pods once the daemons of each type have come. */
export interface Column {
  readonly amounts: Float64Array;
  readonly ranks: ResourceRanks;
}

/** A NodePool as the solver sees it: what its nodes have in common, and the columns of its types. */
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
  readonly enforcesMinValues: boolean;
  readonly states: Map<string, NodeState>;
  readonly everyType: Allowance;
  /** What a node is before any pod; undefined when the pool's requirements leave no instance type. */
  readonly initial: NodeState | undefined;
}

/** What templates are made from, beside the pool. */
export interface TemplateRules {
  readonly policy: SchedulingPolicy;
  readonly daemons: readonly Daemon[];
  readonly resources: ResourceTable;
}

/** Label that names the NodeClass: `<group>/<lowercased kind>`. */
const nodeClassLabel = ({ spec }: NodePool): Readonly<Record<string, string>> => {
  const { group, kind, name } = spec.template.spec.nodeClassRef;
  return { [`${group}/${kind.toLowerCase()}`]: name };
};

/** Labels that every node of the pool will have, whatever its type. */
export const fixedLabels = (pool: NodePool): Readonly<Record<string, string>> => ({
  ...pool.spec.template.metadata?.labels,
  ...nodeClassLabel(pool),
  [labels.nodePool]: pool.metadata.name,
});

/** Labels that a node gets while it joins: pods may select them, NodeClaims do not ask for them. */
export const joinedLabels = { [labels.registered]: 'true', [labels.initialized]: 'true' } as const;

const requirementsOfPool = (pool: NodePool, catalog: LabelCatalog): Requirements =>
  merge(
    requirementsOf(pool.spec.template.spec.requirements, catalog),
    labelRequirements({ ...fixedLabels(pool), ...joinedLabels }, catalog),
  );

function* makingColumns(catalog: CompiledCatalog, groups: readonly DaemonGroup[], { names }: ResourceTable): Steps<readonly Column[]> {
  const isPlain = groups.every(({ overhead }) => Object.keys(overhead).length === 0);
  const columnLess = (name: string): Column => {
    const amounts = catalog.amountsOf(name).slice();
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

function* makingTemplate(pool: NodePoolView, { policy, daemons, resources }: TemplateRules): Steps<NodeTemplate> {
  const { taints = [] } = pool.nodePool.spec.template.spec;
  const requirements = requirementsOfPool(pool.nodePool, policy.labelCatalog);
  const catalog = yield* compilingCatalog(pool.instanceTypes);
  const blueprint = { template: { requirements, taints }, catalog: policy.labelCatalog };
  const groups = yield* groupingByDaemons(daemons, catalog.types, blueprint);
  const template = {
    pool,
    name: pool.nodePool.metadata.name,
    taints,
    wellKnown: policy.labelCatalog.wellKnown,
    catalog,
    requirements,
    resourceNames: resources.names,
    columns: yield* makingColumns(catalog, groups, resources),
    daemonGroups: groups,
    enforcesMinValues: policy.minValues === 'Strict' && [...requirements.values()].some(({ minValues }) => minValues !== undefined),
    states: new Map<string, NodeState>(),
    everyType: { id: '', types: fullBitSet(catalog.types.length) },
    initial: undefined,
  };
  return Object.assign(template, { initial: internState(template, requirements) });
}

/** Static pools (`replicas`) take no part; the others by weight, the heaviest first, then by name. */
export function* makingTemplates(pools: readonly NodePoolView[], rules: TemplateRules): Steps<readonly NodeTemplate[]> {
  const inTurn = pools
    .filter(({ nodePool }) => nodePool.spec.replicas === undefined)
    .sort(
      (a, b) =>
        (b.nodePool.spec.weight ?? 0) - (a.nodePool.spec.weight ?? 0) || compareText(a.nodePool.metadata.name, b.nodePool.metadata.name),
    );
  const templates: NodeTemplate[] = [];
  for (const pool of inTurn) {
    templates.push(yield* makingTemplate(pool, rules));
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
