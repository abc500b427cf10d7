import { memoByObject } from '../../base/index.ts';
import { addVariety, varietiesOf } from '../../catalog/index.ts';
import { instanceTypesIn } from './fit.ts';
import type { Fit } from './node-model.ts';

/** Fit → key → how many distinct values it offers, counted up to `minValues`. */
const varietyOf = memoByObject((fit: Fit): ReadonlyMap<string, number> => {
  const varieties = varietiesOf(fit.state.requirements);
  for (const type of instanceTypesIn(fit.state, fit.types)) addVariety(varieties, type);
  return new Map(varieties.map(({ key, wanted, found }) => [key, Math.min(wanted, found.size)]));
});

/** How many distinct values the node lacks of what `minValues` ask for as a preference (`BestEffort`). */
export const missingVariety = (fit: Fit): number => {
  if (!fit.state.template.prefersMinValues) return 0;
  const offered = varietyOf(fit);
  return varietiesOf(fit.state.requirements).reduce((missing, { key, wanted }) => missing + wanted - (offered.get(key) ?? 0), 0);
};

/**
 * Whether a planned node keeps the variety that it offers of `minValues`. Under the policy `BestEffort` a new node may
 * offer less than they ask, but no later pod may reduce it further.
 */
export const keepsVariety = (before: Fit, after: Fit): boolean => {
  if (before === after || !before.state.template.prefersMinValues) return true;
  const left = varietyOf(after);
  return [...varietyOf(before)].every(([key, count]) => (left.get(key) ?? 0) >= count);
};
