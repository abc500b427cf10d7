import { addBit, emptyBitSet, highestOf, intersectInto } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import { amountIn } from '../../kube/index.ts';
import type { NewNode } from '../places/new-nodes/new-node.ts';
import { fitOf } from '../places/fit.ts';
import type { LimitLedger } from '../places/limits/limit-ledger.ts';
import type { AllowedTypes, NodeTemplate } from '../places/node-model.ts';
import type { Solution, TypeRule } from './solve.ts';
import type { InstanceType } from '../../catalog/index.ts';

const known = new WeakMap<NodeTemplate['catalog'], Map<string, BitSet>>();
/** Rules name the types of plans, so that there are ever more of them while a catalog stays the same. */
const MOST_RULES = 1024;

const keptIn = ({ catalog }: NodeTemplate, { text, keeps }: TypeRule): BitSet => {
  const ofCatalog = known.get(catalog) ?? new Map<string, BitSet>();
  known.set(catalog, ofCatalog);
  const found = ofCatalog.get(text);
  if (found !== undefined) return found;
  const kept = emptyBitSet(catalog.types.length);
  catalog.types.forEach((type, number) => {
    if (keeps(type)) addBit(kept, number);
  });
  if (ofCatalog.size === MOST_RULES) ofCatalog.clear();
  ofCatalog.set(text, kept);
  return kept;
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
  text: `${rule?.text ?? ''} not ${name}`,
  keeps: (type) => type.name !== name && (rule === undefined || rule.keeps(type)),
});

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
 * Rules that may lead to a cheaper plan: none, the rule without one of the types that the plan would launch, and types
 * up to some size. First fit heads for the largest node, and a node that grows with one more pod may cost more than
 * two.
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
    ...smallerSizes(launched, templates).slice(0, MOST_SIZES).map(upTo),
  ];
};
