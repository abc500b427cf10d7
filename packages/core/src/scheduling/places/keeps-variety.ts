import { addVariety, varietiesOf } from '../../catalog/index.ts';
import { instanceTypesIn } from './fit.ts';
import type { Fit } from './fit.ts';

/** Key → how many of the values that `minValues` asks for are there; no more are counted than are asked for. */
const known = new WeakMap<Fit, ReadonlyMap<string, number>>();

const varietyOf = (fit: Fit): ReadonlyMap<string, number> => {
  const before = known.get(fit);
  if (before !== undefined) return before;
  const varieties = varietiesOf(fit.state.requirements);
  for (const type of instanceTypesIn(fit.state, fit.types)) addVariety(varieties, type);
  const fresh = new Map(varieties.map(({ key, wanted, found }) => [key, Math.min(wanted, found.size)]));
  known.set(fit, fresh);
  return fresh;
};

/**
 * Whether a planned node keeps what it offers of `minValues`. Where those are meant as a preference, a new node may offer less than they ask,
 * but no pod that comes later may cost it any of it.
 */
export const keepsVariety = (before: Fit, after: Fit): boolean => {
  if (before === after || !before.state.template.prefersMinValues) return true;
  const left = varietyOf(after);
  return [...varietyOf(before)].every(([key, count]) => (left.get(key) ?? 0) >= count);
};
