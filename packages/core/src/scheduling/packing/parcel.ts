import type { PodClass } from '../classes/pod-class.ts';
import type { Step } from '../classes/rung.ts';
import type { Draft } from '../places/draft.ts';

/** Pods of one class that are to be packed anew, by the rungs that they like as well as the one that they were placed by. */
export interface Parcel {
  readonly podClass: PodClass;
  readonly step: Step;
  readonly count: number;
}

/** What a parcel wishes beside resources, as a key: parcels of one text like the same rungs. */
export const wishesOf = ({ step }: Parcel): string => step.map(({ text }) => text).join('\n\n');

/** Everything on the nodes, equal pods together, in the order in which they were placed first. */
export const parcelsOf = (drafts: readonly Draft[]): readonly Parcel[] => {
  const byClass = new Map<PodClass, Map<Step, number>>();
  for (const { podClass, rung, count } of drafts.flatMap(({ runs }) => runs)) {
    const step = podClass.equals.get(rung) ?? [rung];
    const counts = byClass.get(podClass) ?? new Map<Step, number>();
    byClass.set(podClass, counts.set(step, (counts.get(step) ?? 0) + count));
  }
  return [...byClass].flatMap(([podClass, counts]) => Array.from(counts, ([step, count]) => ({ podClass, step, count })));
};

/** Resource → what parcels want together. */
export const demandOf = (parcels: readonly Parcel[], counts: Float64Array, resourceCount: number): Float64Array => {
  const demand = new Float64Array(resourceCount);
  parcels.forEach(({ podClass: { resourceIds, amounts } }, index) => {
    for (let i = 0; i < resourceIds.length; i++) {
      const resource = resourceIds[i] ?? 0;
      demand[resource] = (demand[resource] ?? 0) + (amounts[i] ?? 0) * (counts[index] ?? 0);
    }
  });
  return demand;
};
