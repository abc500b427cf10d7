import { chunksOf } from '../../base/index.ts';
import type { VolumeNeeds } from '../volumes/volume-reader.ts';
import type { PodShape } from './pod-shape.ts';
import { narrowedRung, preferringRung } from './rung.ts';
import type { Rung, Relaxation, EqualRungs } from './rung.ts';

/** The rungs of a class. */
export interface ClassRungs {
  /** By the requirements alone, in the order in which they are tried. */
  readonly rungs: readonly Rung[];
  /** The same, those that suit the pod equally well together. */
  readonly levels: readonly EqualRungs[];
  /** Rung → rungs that suit the pod equally well, itself among them. Those of `preferring` are added when they are made. */
  readonly equalRungs: ReadonlyMap<Rung, EqualRungs>;
  /** The rungs with these of the pod's preferences (a bit each) as requirements. Empty where they contradict every rung. */
  readonly preferring: (rungs: EqualRungs, preferences: number) => EqualRungs;
}

/**
 * Among how many equally good rungs a pod that is moved may choose. Each is looked at for each node, and few pods have
 * more than two.
 */
const MOST_EQUAL_RUNGS = 16;

const rungInterner = (): ((rung: Rung) => Rung) => {
  const known = new Map<string, Rung>();
  return (rung) => {
    const found = known.get(rung.text);
    if (found !== undefined) return found;
    known.set(rung.text, rung);
    return rung;
  };
};

/** Each rung once for each alternative of the volumes. */
const narrowed = (rungs: EqualRungs, { alternatives }: VolumeNeeds): EqualRungs =>
  rungs.flatMap((rung) => alternatives.map((alternative) => narrowedRung(rung, alternative)));

/**
 * Rungs and preferences → the rungs with these preferences as requirements. Made one preference after the other, the
 * heaviest first, and remembered.
 */
const preferringReader = (
  preferred: PodShape['preferred'],
  { canonicalRung, equalRungs }: { readonly canonicalRung: (rung: Rung) => Rung; readonly equalRungs: Map<Rung, EqualRungs> },
): ClassRungs['preferring'] => {
  const known = new WeakMap<EqualRungs, Map<number, EqualRungs>>();
  /** Rung → the preferences that it is known to meet. */
  const metBy = new Map<Rung, number>();
  const make = (rungs: EqualRungs, preferences: number): EqualRungs => {
    const lightest = 31 - Math.clz32(preferences);
    const without = preferring(rungs, preferences ^ (1 << lightest));
    const requirements = preferred[lightest];
    return requirements === undefined ? without : without.flatMap((rung) => preferringRung(rung, requirements) ?? []).map(canonicalRung);
  };
  /** A rung of several sets meets the preferences of all of them, and so must every rung in its place. */
  const noteEqual = (made: EqualRungs, rungs: EqualRungs, preferences: number): void => {
    for (const rung of made) {
      const met = preferences | (metBy.get(rung) ?? 0);
      metBy.set(rung, met);
      equalRungs.set(rung, met === preferences ? made : preferring(rungs, met));
    }
  };
  const preferring: ClassRungs['preferring'] = (rungs, preferences) => {
    if (preferences === 0) return rungs;
    const ofRungs = known.get(rungs) ?? new Map<number, EqualRungs>();
    known.set(rungs, ofRungs);
    const found = ofRungs.get(preferences);
    if (found !== undefined) return found;
    const made = make(rungs, preferences);
    // Before equals are looked for: the look may come back to this set.
    ofRungs.set(preferences, made);
    noteEqual(made, rungs, preferences);
    return made;
  };
  return preferring;
};

/**
 * Shape and volumes → the rungs of the relaxations that count. Interned: rungs with the same text are one object, and
 * pods with the same ladder and equal volumes share their rungs.
 */
export const rungReader = (relaxations: ReadonlySet<Relaxation>): ((shape: PodShape, volumes: VolumeNeeds) => ClassRungs) => {
  const canonicalRung = rungInterner();
  const known = new Map<readonly EqualRungs[], Map<string, ClassRungs>>();
  const read = ({ ladder, preferred }: PodShape, volumes: VolumeNeeds): ClassRungs => {
    const levels = ladder
      .map((rungs) => rungs.filter(({ relaxation }) => relaxations.has(relaxation)))
      .filter((rungs) => rungs.length > 0)
      .map((rungs) => narrowed(rungs, volumes).map(canonicalRung));
    const byRung = levels.flatMap((rungs) =>
      [...chunksOf(rungs, MOST_EQUAL_RUNGS)].flatMap((equals) => equals.map((rung): [Rung, EqualRungs] => [rung, equals])),
    );
    // Reversed: where a rung occurs twice, its earlier occurrence counts.
    const equalRungs = new Map(byRung.reverse());
    return { rungs: levels.flat(), levels, equalRungs, preferring: preferringReader(preferred, { canonicalRung, equalRungs }) };
  };
  return (shape, volumes) => {
    const ofLadder = known.get(shape.ladder) ?? new Map<string, ClassRungs>();
    known.set(shape.ladder, ofLadder);
    const found = ofLadder.get(volumes.text) ?? read(shape, volumes);
    ofLadder.set(volumes.text, found);
    return found;
  };
};
