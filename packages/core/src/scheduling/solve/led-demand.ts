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

/** The demand, to be placed only where the requirements hold too. Without rungs where the pods could never go there. */
export const ledTo = (demand: Demand, where: Requirements): Demand & Required<Pick<Demand, 'rungs'>> => ({
  ...demand,
  rungs: (demand.rungs ?? demand.podClass.rungs)
    .filter(({ requirements }) => firstConflict(requirements, where) === undefined)
    .map((rung) => narrowedTo(rung, where)),
});
