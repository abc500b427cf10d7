import { addBit, emptyBitSet } from '../../../base/index.ts';
import { resourcesOf } from '../../../kube/index.ts';
import { narrowedFit } from '../fit.ts';
import { keepsVariety } from '../keeps-variety.ts';
import type { Fit } from '../node-model.ts';

const known = new WeakMap<Fit, Map<number, Fit>>();

const compute = (fit: Fit, times: number): Fit => {
  const { catalog, pool, clusterLimits } = fit.state.template;
  const resources = Object.keys({ ...resourcesOf(pool.nodePool.spec.limits), ...clusterLimits?.limits });
  const cheapest = catalog.types[fit.cheapest.type]?.capacity ?? {};
  const small = emptyBitSet(catalog.types.length);
  catalog.types.forEach(({ capacity }, type) => {
    if (resources.every((resource) => (capacity[resource] ?? 0) <= (cheapest[resource] ?? 0) * times)) addBit(small, type);
  });
  const lean = narrowedFit(fit, small);
  return lean !== undefined && keepsVariety(fit, lean) ? lean : fit;
};

/**
 * The fit without types more than `times` as large as its cheapest one, in the resources that the pool or the cluster
 * limits; the fit itself where `minValues` needs the larger types. Remembered.
 */
export const leanFit = (fit: Fit, times: number): Fit => {
  const ofFit = known.get(fit) ?? new Map<number, Fit>();
  known.set(fit, ofFit);
  const found = ofFit.get(times) ?? compute(fit, times);
  ofFit.set(times, found);
  return found;
};
