import { addBit, emptyBitSet, getOrMake, highestOf, intersectInto, memoByObject } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import { amountIn } from '../../kube/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { fitOf } from '../nodes/fit.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import { byPreference } from '../nodes/node-template.ts';
import type { AllowedTypes, NodeTemplate } from '../nodes/node-model.ts';
import type { Solution, TypeRule } from './solve.ts';
import type { InstanceType } from '../../catalog/index.ts';

const keptInCatalog = memoByObject((_: NodeTemplate['catalog']) => new Map<string, BitSet>());
/** Rules name the types of plans, so that there are ever more of them while a catalog stays the same. */
const MOST_RULES = 1024;

const keptIn = ({ catalog, pool }: NodeTemplate, { text, keeps, closed }: TypeRule): BitSet => {
  if (closed?.has(pool) === true) return emptyBitSet(catalog.types.length);
  const ofCatalog = keptInCatalog(catalog);
  return getOrMake(ofCatalog, text, () => {
    if (ofCatalog.size === MOST_RULES) ofCatalog.clear();
    const kept = emptyBitSet(catalog.types.length);
    catalog.types.forEach((type, number) => {
      if (keeps(type)) addBit(kept, number);
    });
    return kept;
  });
};

type Ledgers = ReadonlyMap<NodeTemplate, LimitLedger>;

/** The same ledgers, which allow only types that the rule keeps. */
export const keepingTypes = (ledgers: Ledgers, rule: TypeRule): Ledgers =>
  new Map(
    [...ledgers].map(([template, ledger]) => {
      const kept = keptIn(template, rule);
      const allowedTypes = (): AllowedTypes => {
        const types = ledger.allowedTypes().types.slice();
        intersectInto(types, kept);
        return { id: `${types.join('.')}:`, types };
      };
      return [template, { ...ledger, allowedTypes }];
    }),
  );

const hasDevices = ({ runs }: NewNode): boolean => runs.some(({ podClass }) => podClass.devices !== undefined);

/** The new node on every type that carries it, if the limits of its pool allow what it costs then. */
const widened = (newNode: NewNode, ledgers: Ledgers): NewNode => {
  const { state } = newNode.fit;
  const { everyType } = state.template;
  const fit = hasDevices(newNode) ? undefined : fitOf(state, newNode.used, everyType);
  if (fit === undefined || ledgers.get(state.template)?.charge(fit, newNode.fit) === false) return newNode;
  return { ...newNode, fit, allowedTypes: everyType };
};

/**
 * The solution under the ledgers without the rule: nodes that were planned as it says may be launched as any type that
 * fits.
 */
export const forgettingRule = (solution: Solution, ledgers: Ledgers): Solution => ({
  ...solution,
  ledgers,
  newNodes: solution.newNodes.map((newNode) => widened(newNode, ledgers)),
});

/** How many sizes are tried as the largest: each costs a whole solve. */
const MOST_SIZES = 6;

const without = (name: string, rule: TypeRule | undefined): TypeRule => ({
  ...rule,
  text: `${rule?.text ?? ''} not ${name}`,
  keeps: (type) => type.name !== name && (rule === undefined || rule.keeps(type)),
});

const withoutPool = (pool: NodePoolView, rule: TypeRule | undefined): TypeRule => ({
  text: `${rule?.text ?? ''} no pool ${pool.nodePool.metadata.name}`,
  keeps: rule?.keeps ?? (() => true),
  closed: new Set([...(rule?.closed ?? []), pool]),
});

/** The pools that launch nodes where another, neither more nor less preferred, might do so for less. */
const replaceablePools = (newNodes: readonly NewNode[], templates: readonly NodeTemplate[]): ReadonlySet<NodePoolView> => {
  const launching = new Set(newNodes.map(({ fit }) => fit.state.template.pool));
  const hasEqual = (pool: NodePoolView): boolean =>
    templates.some((other) => other.pool !== pool && other.initial !== undefined && byPreference(other.pool, pool) === 0);
  return new Set([...launching].filter(hasEqual));
};

const upTo = (cpuMillis: number): TypeRule => ({
  text: `up to ${cpuMillis}`,
  keeps: ({ capacity }) => amountIn(capacity, 'cpu') <= cpuMillis,
});

/** The sizes below the largest one that the plan would launch, the largest first. */
const smallerSizes = (launched: readonly InstanceType[], templates: readonly NodeTemplate[]): readonly number[] => {
  const largest = highestOf(
    launched.map(({ capacity }) => amountIn(capacity, 'cpu')),
    0,
  );
  const sizes = new Set(templates.flatMap(({ catalog }) => catalog.types.map(({ capacity }) => amountIn(capacity, 'cpu'))));
  return [...sizes].filter((size) => size < largest).sort((a, b) => b - a);
};

/**
 * Rules that may lead to a cheaper plan: no rule, the rule without one type or pool that the plan would launch, types
 * up to some size. First fit heads for the largest node of the first pool, and a node that grows with one more pod
 * may cost more than two.
 */
export const typeRulesFor = (
  rule: TypeRule | undefined,
  newNodes: readonly NewNode[],
  templates: readonly NodeTemplate[],
): readonly (TypeRule | undefined)[] => {
  const launched = newNodes.flatMap(({ fit: { state, cheapest } }) => state.template.catalog.types[cheapest.type] ?? []);
  const names = new Set(launched.map(({ name }) => name));
  return [
    ...(rule === undefined ? [] : [undefined]),
    ...[...names].map((name) => without(name, rule)),
    ...[...replaceablePools(newNodes, templates)].map((pool) => withoutPool(pool, rule)),
    ...smallerSizes(launched, templates).slice(0, MOST_SIZES).map(upTo),
  ];
};
