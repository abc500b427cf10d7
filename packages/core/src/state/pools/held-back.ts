import { addResources, subtractResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import type { Share } from './pool-usage.ts';

const sumByPool = (shares: readonly Share[]): ReadonlyMap<string, Resources> => {
  const sums = new Map<string, Resources>();
  for (const { nodePoolName, resources } of shares) sums.set(nodePoolName, addResources(sums.get(nodePoolName) ?? {}, resources));
  return sums;
};

/** What is more than nothing. */
const excess = (resources: Resources): Resources => Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount > 0));

/**
 * Pool → what machines that are to leave have beyond those that come for them. It counts against limits as long as the
 * exchange may be called off: what comes counts anyway, so together this is the larger of both sides, and limits hold
 * if either stays.
 */
export const heldBack = (leaving: readonly Share[], coming: readonly Share[]): ReadonlyMap<string, Resources> => {
  const counted = sumByPool(coming);
  return new Map([...sumByPool(leaving)].map(([pool, sum]) => [pool, excess(subtractResources(sum, counted.get(pool) ?? {}))]));
};
