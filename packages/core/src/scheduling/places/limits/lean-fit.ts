import { addBit, emptyBitSet } from '../../../base/index.ts';
import { resourcesOf } from '../../../kube/index.ts';
import { narrowedFit } from '../fit.ts';
import type { Fit } from '../fit.ts';
import { keepsVariety } from '../keeps-variety.ts';

const known = new WeakMap<Fit, Map<number, Fit>>();

const compute = (fit: Fit, times: number): Fit => {
  const { catalog, pool } = fit.state.template;
  const resources = Object.keys(resourcesOf(pool.nodePool.spec.limits));
  const cheapest = catalog.types[fit.cheapest.type]?.capacity ?? {};
  const small = emptyBitSet(catalog.types.length);
  catalog.types.forEach(({ capacity }, type) => {
    if (resources.every((resource) => (capacity[resource] ?? 0) <= (cheapest[resource] ?? 0) * times)) addBit(small, type);
  });
  const lean = narrowedFit(fit, small);
  return lean !== undefined && keepsVariety(fit, lean) ? lean : fit;
};

/**
 * The fit without the types that are more than so many times as large as its cheapest one, in what the pool limits; the fit itself where
 * `minValues` needs them. Remembered.
 */
export const leanFit = (fit: Fit, times: number): Fit => {
  const ofFit = known.get(fit) ?? new Map<number, Fit>();
  known.set(fit, ofFit);
  const found = ofFit.get(times) ?? compute(fit, times);
  ofFit.set(times, found);
  return found;
};
