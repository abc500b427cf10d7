import { requirementsText } from '../../catalog/index.ts';
import { firstConflict, merge } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { TooComplex } from '../rejection/rejection.ts';

/** What a volume asks of its node's labels; any one is enough, none: no node reaches it. */
export type Alternatives = readonly Requirements[];

/** A volume that every node reaches. */
export const ANYWHERE: Alternatives = [new Map()];

/**
 * Most units that the volumes of one pod may take, about 60 ms: those of the terms of a volume, and those of combining
 * volumes.
 */
export const MOST_OF_VOLUMES = 20_000;
/** Units of trying one pair of alternatives. */
const UNITS_A_PAIR = 4;

/** Units of combining alternatives of two volumes, so many of each. */
export const unitsOfPairs = (one: number, other: number): number => one * other * UNITS_A_PAIR;

/** Every pair that some node satisfies, each once. */
export const bothOf = (a: Alternatives, b: Alternatives): Alternatives => {
  if (a === ANYWHERE || b === ANYWHERE) return a === ANYWHERE ? b : a;
  const found = new Map<string, Requirements>();
  for (const one of a) {
    for (const other of b) {
      if (firstConflict(one, other) !== undefined) continue;
      const both = merge(one, other);
      found.set(requirementsText(both), both);
    }
  }
  return [...found.values()];
};

/** Why a pod is refused whose volumes cost more than may be spent on them. */
export const tooManyVolumeTerms = (units: number, largest: string): TooComplex => ({
  ...{ kind: 'too-complex', units: Math.ceil(units), most: MOST_OF_VOLUMES },
  largest,
});
