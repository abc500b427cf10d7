import type { ClusterSnapshot } from '@karpenter/core';
import { carries, machinesOf } from './machines.ts';
import { contestedClaim } from '../validator/volumes.ts';

/**
 * The least that machines for all pending pods can cost, in dollars an hour; Infinity when some pod fits on none. Tries every way to share
 * the pods out and every machine for every share, so it is for at most a handful of pods. Existing nodes and limits are not looked at.
 */
export const cheapestByBruteForce = (snapshot: ClusterSnapshot): number => {
  const machines = machinesOf(snapshot);
  const pods = snapshot.pendingPods;
  if (contestedClaim(pods, [], snapshot.storage) !== undefined) return Number.POSITIVE_INFINITY;
  const priceOfShare = (share: number): number => {
    const members = pods.filter((_, index) => (share >> index) % 2 === 1);
    const able = machines.filter((machine) => carries(machine, members, snapshot));
    return Math.min(...able.map(({ offering }) => offering.pricePerHour));
  };
  const all = 2 ** pods.length - 1;
  const prices = Array.from({ length: all + 1 }, (_, share) => (share === 0 ? 0 : priceOfShare(share)));
  const cheapest = [0];
  for (let set = 1; set <= all; set++) {
    let least = Number.POSITIVE_INFINITY;
    for (let share = set; share > 0; share = (share - 1) & set) {
      least = Math.min(least, (prices[share] ?? 0) + (cheapest[set - share] ?? 0));
    }
    cheapest.push(least);
  }
  return cheapest[all] ?? 0;
};
