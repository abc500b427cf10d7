import { memoByKey } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodSet, PodClass } from '../classes/pod-class.ts';
import type { EqualTerms } from '../classes/node-term.ts';
import { DevicePlacer } from './device-placer.ts';
import type { DevicePlace, DeviceWorkingSet, PreferringTerm } from './device-placer.ts';
import { levelsOf } from './place-by-preference.ts';
import { setsByWeight } from './preference-sets.ts';
import { relaxedFrom } from './relaxed-tally.ts';

/** Of more preferences only all together are tried, and the sets of so many: the heaviest. */
const MOST_WEIGHED = 4;
/** Amounts of money that differ by less are equal. */
const EPSILON = 1e-9;

/** Sets of preferences, a bit each, in the order in which they are tried: all, then the heaviest sets first, then none. */
const preferenceSets = ({ preferences }: PodClass): readonly number[] => {
  const weighed = preferences.slice(0, MOST_WEIGHED).map(({ weight }) => weight);
  return [...new Set([2 ** preferences.length - 1, ...setsByWeight(weighed)])];
};

/** The terms of a pod set in the order in which they are tried, with its preferences and without. */
function* preferringTerms(podSet: PodSet): Iterable<PreferringTerm> {
  const { podClass } = podSet;
  const sets = preferenceSets(podClass);
  for (const terms of levelsOf(podSet))
    for (const preferences of sets) for (const term of podClass.preferring(terms, preferences)) yield { term, preferences };
}

/** With the heaviest of their preferences that some place meets, whatever it costs. */
function* placingRespectfully(podSet: PodSet, wanted: number, set: DeviceWorkingSet): Steps<number> {
  const { podClass } = podSet;
  let placed = 0;
  for (const preferring of preferringTerms(podSet)) {
    const placer = new DevicePlacer(podClass, preferring, set);
    const relaxed = relaxedFrom(podClass, preferring.preferences);
    while (placed < wanted) {
      const place = yield* placer.finding();
      if (place === undefined) break;
      place.take();
      set.relaxed.add(podClass, relaxed);
      placed++;
      yield;
    }
    if (placed === wanted) return placed;
    yield;
  }
  return placed;
}

/** A place, and the preferences that the pod has there, a bit each. */
interface WeighedPlace {
  readonly place: DevicePlace;
  readonly preferences: number;
  /** What preferences would cost that are too dear. */
  readonly costs: ReadonlyMap<number, number>;
}

/** Finds places for the pods of a class by the terms of one level, with the preferences that are worth their cost. */
class DeviceWeighing {
  readonly #podClass: PodClass;
  readonly #terms: EqualTerms;
  readonly #set: DeviceWorkingSet;

  constructor(podClass: PodClass, terms: EqualTerms, set: DeviceWorkingSet) {
    this.#podClass = podClass;
    this.#terms = terms;
    this.#set = set;
  }

  /** The place for one pod: all its preferences where they cost nothing, else those that are worth their cost. */
  *finding(pricePerHour: number): Steps<WeighedPlace | undefined> {
    const all = 2 ** this.#podClass.preferences.length - 1;
    const full = yield* this.#findingWith(all);
    const withAll = full && { place: full, preferences: all, costs: new Map<number, number>() };
    if (full?.costPerHour === 0) return withAll;
    const plain = yield* this.#findingWith(0);
    return plain === undefined ? withAll : yield* this.#weighing(plain, pricePerHour);
  }

  /** Each of the heaviest preferences counts if it costs at most its price beside those before. */
  *#weighing(plain: DevicePlace, pricePerHour: number): Steps<WeighedPlace> {
    const costs = new Map<number, number>();
    let [best, chosen] = [plain, 0];
    for (const [preference, { weight }] of this.#podClass.preferences.slice(0, MOST_WEIGHED).entries()) {
      const wanted = chosen | (1 << preference);
      const found = yield* this.#findingWith(wanted);
      if (found === undefined) continue;
      const cost = found.costPerHour - best.costPerHour;
      if (cost > (pricePerHour * weight) / 100 + EPSILON) costs.set(preference, cost);
      else [best, chosen] = [found, wanted];
    }
    return { place: best, preferences: chosen, costs };
  }

  /** A place with all these preferences. */
  *#findingWith(preferences: number): Steps<DevicePlace | undefined> {
    for (const placer of this.#placersWith(preferences)) {
      const found = yield* placer.finding();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  readonly #placersWith = memoByKey((preferences: number): readonly DevicePlacer[] =>
    this.#podClass.preferring(this.#terms, preferences).map((term) => new DevicePlacer(this.#podClass, { term, preferences }, this.#set)),
  );
}

/** With those of their preferences that are worth their price. */
function* placingWeighed(podSet: PodSet, wanted: number, set: DeviceWorkingSet): Steps<number> {
  const { podClass } = podSet;
  const { preferencePricePerHour = Number.POSITIVE_INFINITY } = set;
  let placed = 0;
  for (const terms of levelsOf(podSet)) {
    const weighing = new DeviceWeighing(podClass, terms, set);
    while (placed < wanted) {
      const found = yield* weighing.finding(preferencePricePerHour);
      if (found === undefined) break;
      found.place.take();
      set.relaxed.add(podClass, relaxedFrom(podClass, found.preferences, found.costs));
      placed++;
      yield;
    }
  }
  return placed;
}

/**
 * Places up to `wanted` pods with device claims one by one, with the preferences that the policy gives them. Returns how
 * many it placed. Pauses after each: its search may take thousands of tries.
 */
export const placingWithDevices = (podSet: PodSet, wanted: number, set: DeviceWorkingSet): Steps<number> => {
  const isWeighed = set.preferencePricePerHour !== undefined && podSet.podClass.preferences.length > 0;
  return isWeighed ? placingWeighed(podSet, wanted, set) : placingRespectfully(podSet, wanted, set);
};
