import { requirementsText } from '../../catalog/index.ts';
import { firstConflict } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { Demand } from '../classes/demand.ts';
import { narrowedRung } from '../classes/rung.ts';
import type { Rung } from '../classes/rung.ts';

/** Nodes whose label has this value. */
export const withLabel = (key: string, value: string): Requirements =>
  new Map([[key, { key, values: { kind: 'in', values: new Set([value]) }, mayBeAbsent: false }]]);

const narrowed = new WeakMap<Rung, Map<string, Rung>>();

/** Remembered, because places remember their answers by the identity of the rung. */
const narrowedTo = (rung: Rung, where: Requirements): Rung => {
  const ofRung = narrowed.get(rung) ?? new Map<string, Rung>();
  narrowed.set(rung, ofRung);
  const text = requirementsText(where);
  const known = ofRung.get(text) ?? narrowedRung(rung, where);
  ofRung.set(text, known);
  return known;
};

const ledRungs = (rungs: readonly Rung[], where: Requirements): readonly Rung[] =>
  rungs.filter(({ requirements }) => firstConflict(requirements, where) === undefined).map((rung) => narrowedTo(rung, where));

/**
 * The demand, to be placed only where the requirements hold too; instead of where it was led before, if the two exclude
 * each other. Without rungs where the pods could never go there.
 */
export const ledTo = (demand: Demand, where: Requirements): Demand & Required<Pick<Demand, 'rungs'>> => {
  const own = demand.podClass.rungs;
  const rungs = ledRungs(demand.rungs ?? own, where);
  return { ...demand, rungs: rungs.length === 0 && demand.rungs !== undefined ? ledRungs(own, where) : rungs };
};
