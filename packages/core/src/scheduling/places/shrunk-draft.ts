import { addBit, emptyBitSet } from '../../base/index.ts';
import type { Draft } from './draft.ts';
import { fitOf } from './fit.ts';
import type { Limit } from './pool-budget.ts';

/** The same load on types that are no larger than its cheapest one, in what the pool limits; undefined when `minValues` needs larger ones. */
export const shrunk = ({ fit, used, ...draft }: Draft, limits: readonly Limit[]): Draft | undefined => {
  const { types } = fit.state.template.catalog;
  const cheapest = types[fit.cheapest.type];
  const small = emptyBitSet(types.length);
  types.forEach(({ capacity }, type) => {
    if (limits.every(({ resource }) => (capacity[resource] ?? 0) <= (cheapest?.capacity[resource] ?? 0))) addBit(small, type);
  });
  const allowance = { id: `up to ${fit.cheapest.type}:`, types: small };
  const smaller = fitOf(fit.state, used, allowance);
  return smaller && { ...draft, used, fit: smaller, allowance };
};
