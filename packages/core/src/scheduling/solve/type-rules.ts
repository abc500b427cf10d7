import type { InstanceType } from '../../catalog/index.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { NodeTemplate } from '../places/node-model.ts';
import type { TypeRule } from './solve.ts';

/** How many sizes are tried as the largest: each costs a whole solve. */
const MOST_SIZES = 6;

const without = (name: string, rule: TypeRule | undefined): TypeRule => ({
  text: `${rule?.text ?? ''} not ${name}`,
  keeps: (type) => type.name !== name && (rule === undefined || rule.keeps(type)),
});

const upTo = (cpuMillis: number): TypeRule => ({
  text: `up to ${cpuMillis}`,
  keeps: ({ capacity }) => (capacity['cpu'] ?? 0) <= cpuMillis,
});

/** The sizes below the largest one that the plan would launch, the largest first. */
const smallerSizes = (launched: readonly InstanceType[], templates: readonly NodeTemplate[]): readonly number[] => {
  const largest = Math.max(0, ...launched.map(({ capacity }) => capacity['cpu'] ?? 0));
  const sizes = new Set(templates.flatMap(({ catalog }) => catalog.types.map(({ capacity }) => capacity['cpu'] ?? 0)));
  return [...sizes].filter((size) => size < largest).sort((a, b) => b - a);
};

/**
 * Rules that may lead to a cheaper plan: none, the rule without one of the types that the plan would launch, and types
 * up to some size. First fit heads for the largest node, and a node that grows with one more pod may cost more than
 * two.
 */
export const typeRulesFor = (
  rule: TypeRule | undefined,
  drafts: readonly Draft[],
  templates: readonly NodeTemplate[],
): readonly (TypeRule | undefined)[] => {
  const launched = drafts.flatMap(({ fit: { state, cheapest } }) => state.template.catalog.types[cheapest.type] ?? []);
  const names = new Set(launched.map(({ name }) => name));
  return [
    ...(rule === undefined ? [] : [undefined]),
    ...[...names].map((name) => without(name, rule)),
    ...smallerSizes(launched, templates).slice(0, MOST_SIZES).map(upTo),
  ];
};
