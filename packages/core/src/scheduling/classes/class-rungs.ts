import type { VolumeNeeds } from '../volumes/volume-reader.ts';
import { narrowedRung } from './rung.ts';
import type { Rung, Relaxation, EqualRungs } from './rung.ts';

/** The rungs of a class, in the order in which they are tried. */
export interface ClassRungs {
  readonly rungs: readonly Rung[];
  /** Rung → the rungs that suit the pod equally well, itself among them. */
  readonly equalRungs: ReadonlyMap<Rung, EqualRungs>;
}

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
 * Ladder and volumes → the rungs of the relaxations that count. Interned: rungs with the same text are one object, and pods with the same ladder and
 * equal volumes share their rungs.
 */
export const rungReader = (relaxations: ReadonlySet<Relaxation>): ((ladder: readonly EqualRungs[], volumes: VolumeNeeds) => ClassRungs) => {
  const canonicalRung = rungInterner();
  const known = new Map<readonly EqualRungs[], Map<string, ClassRungs>>();
  const read = (ladder: readonly EqualRungs[], volumes: VolumeNeeds): ClassRungs => {
    const wanted = ladder.map((rungs) =>
      narrowed(
        rungs.filter(({ relaxation }) => relaxations.has(relaxation)),
        volumes,
      ).map(canonicalRung),
    );
    const byRung = wanted.flatMap((equals) => equals.map((rung): [Rung, EqualRungs] => [rung, equals]));
    // Reversed: where a rung occurs twice on the ladder, its earlier occurrence counts.
    return { rungs: wanted.flat(), equalRungs: new Map(byRung.reverse()) };
  };
  return (ladder, volumes) => {
    const ofLadder = known.get(ladder) ?? new Map<string, ClassRungs>();
    known.set(ladder, ofLadder);
    const found = ofLadder.get(volumes.text) ?? read(ladder, volumes);
    ofLadder.set(volumes.text, found);
    return found;
  };
};
