import type { PodClass } from '../classes/pod-class.ts';
import type { Rung } from '../classes/rung.ts';
import type { Draft } from '../places/draft.ts';

/** Pods of one class, with the rung that they were placed by, that are to be packed anew. */
export interface Parcel {
  readonly podClass: PodClass;
  readonly rung: Rung;
  readonly count: number;
}

/** Everything on the nodes, equal pods together, in the order in which they were placed first. */
export const parcelsOf = (drafts: readonly Draft[]): readonly Parcel[] => {
  const byClass = new Map<PodClass, { podClass: PodClass; rung: Rung; count: number }[]>();
  const parcels: { podClass: PodClass; rung: Rung; count: number }[] = [];
  for (const { podClass, rung, count } of drafts.flatMap(({ runs }) => runs)) {
    const known = byClass.get(podClass) ?? [];
    const same = known.find((parcel) => parcel.rung === rung);
    if (same !== undefined) same.count += count;
    else {
      const parcel = { podClass, rung, count };
      byClass.set(podClass, [...known, parcel]);
      parcels.push(parcel);
    }
  }
  return parcels;
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
