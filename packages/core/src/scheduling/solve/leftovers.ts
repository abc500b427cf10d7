import { priorityOf } from '../classes/demand.ts';
import type { Demand } from '../classes/demand.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { UnplacedDemand } from './solve.ts';

/** Leftovers that are no virtual pods of CapacityBuffers: those give way to all others. */
export const ofPods = (leftovers: readonly UnplacedDemand[]): readonly UnplacedDemand[] =>
  leftovers.filter(({ demand }) => demand.isBuffer !== true);

/** The leftovers of each pod group together, as the question has it: the last of its pods. */
export const mergedLeftovers = (leftovers: readonly UnplacedDemand[], demands: readonly Demand[]): readonly UnplacedDemand[] => {
  if (leftovers.length === 0) return leftovers;
  const byClass = new Map<PodClass, UnplacedDemand[]>();
  for (const leftover of leftovers) {
    const own = byClass.get(leftover.demand.podClass);
    if (own === undefined) byClass.set(leftover.demand.podClass, [leftover]);
    else own.push(leftover);
  }
  return demands.flatMap((demand) => {
    const own = (byClass.get(demand.podClass) ?? []).filter((leftover) => leftover.demand.isBuffer === demand.isBuffer);
    const count = own.reduce((total, leftover) => total + leftover.count, 0);
    return count === 0 ? [] : [{ demand, count, wasStopped: own.some(({ wasStopped }) => wasStopped) }];
  });
};

/** Priority → how many pods of it are left over. Takes leftovers that are merged. */
export const countsByPriority = (leftovers: readonly UnplacedDemand[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const { demand, count } of ofPods(leftovers)) {
    for (const pod of demand.pods.slice(demand.pods.length - count)) counts.set(priorityOf(pod), (counts.get(priorityOf(pod)) ?? 0) + 1);
  }
  return counts;
};

/**
 * Whether the first leaves fewer pods over, of the highest priority in which the two differ. Takes leftovers that are
 * merged.
 */
export const leavesFewer = (leftovers: readonly UnplacedDemand[], than: readonly UnplacedDemand[]): boolean => {
  const [counts, others] = [countsByPriority(leftovers), countsByPriority(than)];
  const difference = (priority: number): number => (counts.get(priority) ?? 0) - (others.get(priority) ?? 0);
  const different = [...counts.keys(), ...others.keys()].filter((priority) => difference(priority) !== 0);
  return different.length > 0 && difference(Math.max(...different)) < 0;
};
