import { getOrMake, itemAt, ROUNDING } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { EqualTerms } from '../pod-classes/node-term.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { TopologyWorkingSet } from './topology-placement.ts';
import { PreferenceLevel } from './preference-level.ts';
import type { FoundPlace } from './preference-level.ts';
import { relaxedFrom } from './relaxed-tally.ts';
import type { RelaxedBy } from './relaxed-tally.ts';

/** How many sets are checked for one without a conflict. */
const MOST_SETS_SEEN = 1024;

/** The sum of the weights of a set of preferences, a bit each. */
const weightOf = (weights: readonly number[], set: number): number =>
  weights.reduce((sum, weight, preference) => ((set >> preference) & 1 ? sum + weight : sum), 0);

/** Whether the first set has the heaviest of the preferences in which two sets differ. Those are in order of weight. */
const hasTheHeavier = (set: number, other: number): boolean => {
  const differing = set ^ other;
  return (set & differing & -differing) !== 0;
};

/**
 * The set of preferences with the largest sum of weights that contains none of the conflicts; `least` if none is
 * heavier. A set has a bit for each preference, the heaviest preference first. Of equal sums the one with the heavier
 * preferences.
 *
 * Branches on the preferences of a conflict: a set without it lacks one of them. Checks 1,024 sets at most, which are
 * all sets of ten preferences.
 */
export const heaviestWithout = (conflicts: readonly number[], weights: readonly number[], least: number): number => {
  let best = least;
  let bestWeight = weightOf(weights, least);
  const seen = new Set<number>();
  const visit = (set: number, weight: number): void => {
    if (weight < bestWeight || seen.has(set) || seen.size === MOST_SETS_SEEN) return;
    seen.add(set);
    const conflict = conflicts.find((each) => (each & set) === each);
    if (conflict === undefined) {
      if (weight === bestWeight && !hasTheHeavier(set, best)) return;
      best = set;
      bestWeight = weight;
      return;
    }
    for (let preference = weights.length - 1; preference >= 0; preference--)
      if ((conflict >> preference) & 1) visit(set & ~(1 << preference), weight - itemAt(weights, preference));
  };
  visit(2 ** weights.length - 1, weightOf(weights, 2 ** weights.length - 1));
  return best;
};

/** All sets of so many preferences, the heaviest first. Of equal sums that with the heavier preferences comes first. */
export const setsByWeight = (weights: readonly number[]): readonly number[] =>
  Array.from({ length: 2 ** weights.length }, (_, set) => set).toSorted(
    (a, b) => weightOf(weights, b) - weightOf(weights, a) || (hasTheHeavier(a, b) ? -1 : 1),
  );

/** A set of preferences that found no place, and after how many more placed pods it is tried again. */
interface Refusal {
  readonly preferences: number;
  readonly failures: number;
  readonly retryAt: number;
}

/** The preferences that a pod gets, a bit each, and the place where it gets them. */
interface PreferredPlace {
  readonly preferences: number;
  readonly place: FoundPlace;
  /** What preferences that are too dear would cost. */
  readonly costs?: ReadonlyMap<number, number>;
}

/** How many sets are tried, beyond those kept one by one, for one that weighs more. All there are of four preferences. */
const MOST_HEAVIER_SETS = 16;

/** Pods of one class, and the terms that they are placed by. */
export interface PreferringPods {
  readonly podClass: PodClass;
  readonly classTopology: ClassTopology;
  /** By the requirements alone. */
  readonly terms: EqualTerms;
  /** Those of them that preferences are added to. */
  readonly preferable: EqualTerms;
  /** What a preference of weight 100 may cost, in dollars an hour. Absent: any price. */
  readonly pricePerHour: number | undefined;
  /** Whether only places with room for all pods to come count. */
  readonly isTogether: boolean;
}

/**
 * Finds for each pod of a class the set of preferences with the largest sum of weights that a place meets. Tries the
 * set of the pod before if nothing else can have changed, then all. Else preference by preference, the heaviest
 * first: each is kept if there is a place with it and all kept before; then sets that weigh more than what was kept.
 * A set that found no place is not tried again; nor is one that contains it. Only where placing pods of the class may
 * make a place (spreads, affinity to themselves) it is, after 1, 2, 4, … more pods. So a pod costs at most two
 * searches a preference and `MOST_HEAVIER_SETS`, and mostly one in all.
 */
export class PreferenceSearch {
  readonly #set: TopologyWorkingSet;
  readonly #pods: PreferringPods;
  readonly #levels = new Map<number, PreferenceLevel>();
  readonly #refusals = new Map<number, Refusal>();
  readonly #closed: number[] = [];
  readonly #all: number;
  readonly #weights: readonly number[];
  #last: number | undefined;
  #placed = 0;
  /** How many searches were made: the work so far. */
  searches = 0;

  constructor(set: TopologyWorkingSet, pods: PreferringPods) {
    this.#set = set;
    this.#pods = pods;
    this.#weights = pods.podClass.preferences.map(({ weight }) => weight);
    this.#all = 2 ** this.#weights.length - 1;
  }

  /** The place of the next pod, with `wanted` to come; undefined when there is none, with or without preferences. */
  next(wanted: number): PreferredPlace | undefined {
    const { pricePerHour } = this.#pods;
    if (pricePerHour !== undefined) return this.#worthwhile(wanted, pricePerHour);
    return this.#asBefore(wanted) ?? this.#with(this.#all, wanted) ?? this.#heaviest(wanted);
  }

  /** Puts the pod there. Returns the preferences that it is placed without. */
  take({ preferences, place, costs }: PreferredPlace): readonly RelaxedBy[] {
    const changed = place.take();
    if (changed !== undefined) for (const level of this.#levels.values()) level.recheck(changed);
    this.#last = preferences;
    this.#placed++;
    return relaxedFrom(this.#pods.podClass, preferences, costs);
  }

  /**
   * The preferences that are worth their cost, the heaviest first: each is kept if it costs at most its price beside
   * those kept before.
   */
  #worthwhile(wanted: number, pricePerHour: number): PreferredPlace | undefined {
    const full = this.#with(this.#all, wanted);
    if (full?.place.costPerHour === 0) return full;
    const costs = new Map<number, number>();
    let best = this.#with(0, wanted);
    for (const [preference, { weight }] of this.#pods.podClass.preferences.entries()) {
      if (best === undefined) return full;
      const chosen = best.preferences | (1 << preference);
      const found = this.#with(chosen, wanted);
      if (found === undefined) continue;
      const cost = found.place.costPerHour - best.place.costPerHour;
      if (cost <= (pricePerHour * weight) / 100 + ROUNDING) best = found;
      else costs.set(preference, cost);
    }
    return best && { ...best, costs };
  }

  #asBefore(wanted: number): PreferredPlace | undefined {
    if (this.#last === undefined) return undefined;
    for (const { retryAt } of this.#refusals.values()) if (retryAt <= this.#placed) return undefined;
    return this.#with(this.#last, wanted);
  }

  /** The place with the heaviest set. Of equal sums the one with the heavier preferences. */
  #heaviest(wanted: number): PreferredPlace | undefined {
    const plain = this.#with(0, wanted);
    // Without a place for the requirements alone there is none with a preference.
    if (plain === undefined) return undefined;
    const kept = this.#oneByOne(plain, wanted);
    // Those that no place meets alone then count no more.
    for (let bit = 1; bit < this.#all; bit *= 2) if ((kept.preferences & bit) === 0) this.#with(bit, wanted);
    for (let tried = 0; tried < MOST_HEAVIER_SETS; tried++) {
      const set = heaviestWithout(this.#conflicts(), this.#weights, kept.preferences);
      const found = set === kept.preferences ? kept : this.#with(set, wanted);
      if (found !== undefined) return found;
    }
    return kept;
  }

  /** Sets that have no place for now. */
  #conflicts(): readonly number[] {
    const waiting = [...this.#refusals.values()].filter(({ retryAt }) => retryAt > this.#placed);
    return [...this.#closed, ...waiting.map(({ preferences }) => preferences)];
  }

  #oneByOne(plain: PreferredPlace, wanted: number): PreferredPlace {
    let best = plain;
    for (let bit = 1; bit < this.#all; bit *= 2) best = this.#with(best.preferences | bit, wanted) ?? best;
    return best;
  }

  /** A place with all these preferences. */
  #with(preferences: number, wanted: number): PreferredPlace | undefined {
    if (this.#isRefused(preferences)) return undefined;
    const level = this.#level(preferences);
    this.searches++;
    const place = level.find(wanted);
    if (place === undefined) {
      this.#refuse(preferences, level);
      return undefined;
    }
    this.#refusals.delete(preferences);
    return { preferences, place };
  }

  #level(preferences: number): PreferenceLevel {
    return getOrMake(this.#levels, preferences, () => {
      const { podClass, classTopology, terms, preferable, isTogether } = this.#pods;
      const chosen = preferences === 0 ? terms : podClass.preferring(preferable, preferences);
      return new PreferenceLevel(this.#set, { podClass, classTopology, terms: chosen, preferences, isTogether });
    });
  }

  #isRefused(preferences: number): boolean {
    for (const closed of this.#closed) if ((closed & preferences) === closed) return true;
    const refusal = this.#refusals.get(preferences);
    return refusal !== undefined && refusal.retryAt > this.#placed;
  }

  #refuse(preferences: number, level: PreferenceLevel): void {
    if (!level.mayReopen) {
      this.#closed.push(preferences);
      return;
    }
    const failures = (this.#refusals.get(preferences)?.failures ?? 0) + 1;
    this.#refusals.set(preferences, { preferences, failures, retryAt: this.#placed + 2 ** (failures - 1) });
    level.restart();
  }
}
