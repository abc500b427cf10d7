import type { VolumeNeeds } from '../volumes/volume-reader.ts';
import { narrowedRung } from './rung.ts';
import type { Rung, RungStep, Step } from './rung.ts';

/** The rungs of a class, in the order in which they are tried. */
export interface ClassRungs {
  readonly rungs: readonly Rung[];
  /** Rung → the rungs that the pod likes as well: those of its step. */
  readonly equals: ReadonlyMap<Rung, Step>;
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

/** Each rung once for each way in which the volumes are content. */
const narrowed = (rungs: Step, { alternatives }: VolumeNeeds): Step =>
  rungs.flatMap((rung) => alternatives.map((alternative) => narrowedRung(rung, alternative)));

/**
 * Ladder and volumes → the rungs on the steps that count. Rungs with one text are one value in all of them, and so are the rungs of pods with
 * one ladder and equal volumes.
 */
export const rungReader = (steps: ReadonlySet<RungStep>): ((ladder: readonly Step[], volumes: VolumeNeeds) => ClassRungs) => {
  const canonicalRung = rungInterner();
  const known = new Map<readonly Step[], Map<string, ClassRungs>>();
  const read = (ladder: readonly Step[], volumes: VolumeNeeds): ClassRungs => {
    const wanted = ladder.map((step) =>
      narrowed(
        step.filter((rung) => steps.has(rung.step)),
        volumes,
      ).map(canonicalRung),
    );
    // Where a rung stands on two steps, the earlier one counts.
    return { rungs: wanted.flat(), equals: new Map(wanted.flatMap((step) => step.map((rung): [Rung, Step] => [rung, step])).reverse()) };
  };
  return (ladder, volumes) => {
    const ofLadder = known.get(ladder) ?? new Map<string, ClassRungs>();
    known.set(ladder, ofLadder);
    const found = ofLadder.get(volumes.text) ?? read(ladder, volumes);
    ofLadder.set(volumes.text, found);
    return found;
  };
};
