import { getOrMake, itemAt } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';

/** A preference that a pod is placed without. */
export interface RelaxedBy {
  /** Its position among those of the class. */
  readonly preference: number;
  /** What it would have cost, in dollars an hour; absent where no place met it. */
  readonly costPerHour?: number;
}

/** The preferences of a class that are not in the set, a bit each, with what it would cost where that is known. */
export const relaxedFrom = ({ preferences }: PodClass, set: number, costs?: ReadonlyMap<number, number>): readonly RelaxedBy[] =>
  preferences.flatMap((_, preference) => {
    if ((set >> preference) & 1) return [];
    const costPerHour = costs?.get(preference);
    return [costPerHour === undefined ? { preference } : { preference, costPerHour }];
  });

/** Pods of a class that were placed without one of their preferences. */
export interface RelaxedCount {
  podCount: number;
  /** Those of them for which it was too dear, and what it would have cost them together. */
  pricedCount: number;
  costPerHour: number;
}

/** Which preferences the pods of one answer were placed without. */
export class RelaxedTally {
  readonly #ofClass = new Map<PodClass, RelaxedCount[]>();

  add(podClass: PodClass, relaxed: readonly RelaxedBy[]): void {
    if (relaxed.length === 0) return;
    const counts = getOrMake(this.#ofClass, podClass, () =>
      podClass.preferences.map(() => ({ podCount: 0, pricedCount: 0, costPerHour: 0 })),
    );
    for (const { preference, costPerHour } of relaxed) {
      const count = itemAt(counts, preference);
      count.podCount++;
      if (costPerHour === undefined) continue;
      count.pricedCount++;
      count.costPerHour += costPerHour;
    }
  }

  /** Preference by preference; undefined where the class got all of them. */
  of(podClass: PodClass): readonly RelaxedCount[] | undefined {
    return this.#ofClass.get(podClass);
  }
}
