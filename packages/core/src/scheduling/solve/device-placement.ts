import { getOrMake, memoByKey, ROUNDING } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import type { EqualTerms } from '../pod-classes/node-term.ts';
import { DevicePlacer } from './device-placer.ts';
import type { DevicePlace, DeviceWorkingSet, PreferringTerm } from './device-placer.ts';
import { levelsOf } from './preference-placement.ts';
import { setsByWeight } from './preference-search.ts';
import { mustStartTogether } from './topology-placement.ts';
import { relaxedFrom } from './relaxed-tally.ts';

/** Of more preferences only all together are tried, and the sets of so many: the heaviest. */
const MOST_WEIGHED = 4;
/** Amounts of money that differ by less are equal. */

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

/** A place, and the preferences that the pod has there, a bit each. */
interface WeighedPlace {
  readonly place: DevicePlace;
  readonly preferences: number;
  /** What preferences would cost that are too dear. */
  readonly costs: ReadonlyMap<number, number>;
}

/** Finds the next place by some terms: for one pod, where so many of them have room and devices. */
type PlaceFinder = (podsAtOnce: number) => Steps<WeighedPlace | undefined>;

const NO_COSTS: ReadonlyMap<number, number> = new Map();

/** With the heaviest of their preferences that some place meets, whatever it costs. */
function* respectfulFinders(podSet: PodSet, set: DeviceWorkingSet): Iterable<PlaceFinder> {
  for (const { term, preferences } of preferringTerms(podSet)) {
    const placerFor = memoByKey((podsAtOnce: number) => new DevicePlacer(podSet.podClass, { term, preferences, podsAtOnce }, set));
    yield function* (podsAtOnce) {
      const place = yield* placerFor(podsAtOnce).finding();
      return place && { place, preferences, costs: NO_COSTS };
    };
  }
}

/** The preferences that a place must meet, a bit each, and for how many pods it must have room. */
interface WantedPlace {
  readonly preferences: number;
  readonly podsAtOnce: number;
}

/** Finds places for the pods of a class by the terms of one level, with the preferences that are worth their cost. */
class DeviceWeighing {
  readonly #podClass: PodClass;
  readonly #terms: EqualTerms;
  readonly #set: DeviceWorkingSet;
  readonly #placers = new Map<string, readonly DevicePlacer[]>();

  constructor(podClass: PodClass, terms: EqualTerms, set: DeviceWorkingSet) {
    this.#podClass = podClass;
    this.#terms = terms;
    this.#set = set;
  }

  /** The place for one pod: all its preferences where they cost nothing, else those that are worth their cost. */
  *finding(podsAtOnce: number): Steps<WeighedPlace | undefined> {
    const all = 2 ** this.#podClass.preferences.length - 1;
    const full = yield* this.#findingWith({ preferences: all, podsAtOnce });
    const withAll = full && { place: full, preferences: all, costs: NO_COSTS };
    if (full?.costPerHour === 0) return withAll;
    const plain = yield* this.#findingWith({ preferences: 0, podsAtOnce });
    return plain === undefined ? withAll : yield* this.#weighing(plain, podsAtOnce);
  }

  /** Each of the heaviest preferences counts if it costs at most its price beside those before. */
  *#weighing(plain: DevicePlace, podsAtOnce: number): Steps<WeighedPlace> {
    const { preferencePricePerHour = Number.POSITIVE_INFINITY } = this.#set;
    const costs = new Map<number, number>();
    let [best, chosen] = [plain, 0];
    for (const [preference, { weight }] of this.#podClass.preferences.slice(0, MOST_WEIGHED).entries()) {
      const preferences = chosen | (1 << preference);
      const found = yield* this.#findingWith({ preferences, podsAtOnce });
      if (found === undefined) continue;
      const cost = found.costPerHour - best.costPerHour;
      if (cost > (preferencePricePerHour * weight) / 100 + ROUNDING) costs.set(preference, cost);
      else [best, chosen] = [found, preferences];
    }
    return { place: best, preferences: chosen, costs };
  }

  /** A place with all these preferences. */
  *#findingWith(wanted: WantedPlace): Steps<DevicePlace | undefined> {
    for (const placer of this.#placersFor(wanted)) {
      const found = yield* placer.finding();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #placersFor({ preferences, podsAtOnce }: WantedPlace): readonly DevicePlacer[] {
    return getOrMake(this.#placers, `${preferences} ${podsAtOnce}`, () =>
      this.#podClass
        .preferring(this.#terms, preferences)
        .map((term) => new DevicePlacer(this.#podClass, { term, preferences, podsAtOnce }, this.#set)),
    );
  }
}

/** With those of their preferences that are worth their price. */
function* weighedFinders(podSet: PodSet, set: DeviceWorkingSet): Iterable<PlaceFinder> {
  for (const terms of levelsOf(podSet)) {
    const weighing = new DeviceWeighing(podSet.podClass, terms, set);
    yield (podsAtOnce) => weighing.finding(podsAtOnce);
  }
}

const findersFor = (podSet: PodSet, set: DeviceWorkingSet): Iterable<PlaceFinder> => {
  const isWeighed = set.preferencePricePerHour !== undefined && podSet.podClass.preferences.length > 0;
  return isWeighed ? weighedFinders(podSet, set) : respectfulFinders(podSet, set);
};

/** A place for the first of so many pods that must share a host: where all of them have room, else half of them, and so on. */
function* findingTogether(podSet: PodSet, wanted: number, set: DeviceWorkingSet): Steps<WeighedPlace | undefined> {
  for (let podsAtOnce = wanted; podsAtOnce > 1; podsAtOnce = Math.ceil(podsAtOnce / 2)) {
    for (const find of findersFor(podSet, set)) {
      const found = yield* find(podsAtOnce);
      if (found !== undefined) return found;
      yield;
    }
  }
  return undefined;
}

/**
 * Places up to `wanted` pods with device claims one by one, with the preferences that the policy gives them. Pods that
 * must share a host start where there are room and devices for all, whatever preferences that costs. Returns how many it
 * placed. Pauses after each: its search may take thousands of tries.
 */
export function* placingWithDevices(podSet: PodSet, wanted: number, set: DeviceWorkingSet): Steps<number> {
  const { podClass } = podSet;
  const take = ({ place, preferences, costs }: WeighedPlace): void => {
    place.take();
    set.relaxed.add(podClass, relaxedFrom(podClass, preferences, costs));
  };
  const startsTogether = podClass.topology !== undefined && mustStartTogether(podClass.topology.required);
  const first = startsTogether ? yield* findingTogether(podSet, wanted, set) : undefined;
  if (first !== undefined) take(first);
  let placed = first === undefined ? 0 : 1;
  for (const find of findersFor(podSet, set)) {
    while (placed < wanted) {
      const found = yield* find(1);
      if (found === undefined) break;
      take(found);
      placed++;
      yield;
    }
    if (placed === wanted) return placed;
    yield;
  }
  return placed;
}
