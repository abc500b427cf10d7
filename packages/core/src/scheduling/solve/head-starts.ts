import { requirementsText } from '../../catalog/index.ts';
import { firstConflict } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { Demand } from '../classes/demand.ts';
import { narrowedRung } from '../classes/rung.ts';
import type { Rung } from '../classes/rung.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';

/** Pods of which one must be where another pod goes, and the key by which it is near enough. */
interface Tie {
  readonly groups: readonly Group[];
  readonly key: number;
}

/** What the pods of a class are told about where others are: company to have, and counts to keep even. */
const tiesOf = ({ podClass: { topology } }: Demand): readonly Tie[] => {
  const must = topology?.ways.at(-1);
  if (must === undefined) return [];
  const joins = [...must.wide.joins, ...must.host.joins].flatMap(({ groups, whole }) => groups.map(({ key }) => ({ groups: whole, key })));
  return [...joins, ...must.wide.spreads.map(({ group }) => ({ groups: [group], key: group.key }))];
};

const isCountedBy = ({ groups }: Tie, { podClass: { topology }, rungs }: Demand): boolean =>
  rungs === undefined && groups.every((group) => topology?.gives.includes(group));

const only = (key: string, value: string): Requirement => ({ key, values: { kind: 'in', values: new Set([value]) }, mayBeAbsent: false });

/** What the node of the first pod has to be: in one of the domains; beside a pod that shares its host, one where that may go as well. */
const placesFor = ({ key }: Tie, { podClass }: Demand, topology: Topology): readonly Requirements[] => {
  if (key === HOST) return podClass.rungs.map(({ requirements }) => requirements);
  const label = topology.domains.keys[key] ?? '';
  return topology.valuesOf(key).map((value) => new Map([[label, only(label, value)]]));
};

const narrowed = new WeakMap<Rung, Map<string, Rung>>();

/** Remembered, for places remember what they answer to each rung. */
const narrowedTo = (rung: Rung, where: Requirements): Rung => {
  const ofRung = narrowed.get(rung) ?? new Map<string, Rung>();
  narrowed.set(rung, ofRung);
  const text = requirementsText(where);
  const fresh = ofRung.get(text) ?? narrowedRung(rung, where);
  ofRung.set(text, fresh);
  return fresh;
};

const oneAt = ({ podClass, pods }: Demand, where: Requirements): Demand => ({
  podClass,
  pods: pods.slice(0, 1),
  rungs: podClass.rungs
    .filter(({ requirements }) => firstConflict(requirements, where) === undefined)
    .map((rung) => narrowedTo(rung, where)),
});

const without = (demand: Demand, gone: Demand): Demand => ({ ...demand, pods: demand.pods.filter((pod) => !gone.pods.includes(pod)) });

/**
 * Ways to begin that may make a place for a stuck demand: one pod that its constraints count goes first, to a domain that they ask about, and the demand right
 * after it. A pod does not otherwise know that another will want to follow it.
 */
export function* escorts(stuck: Demand, demands: readonly Demand[], topology: Topology): Iterable<readonly Demand[]> {
  for (const tie of tiesOf(stuck)) {
    const places = placesFor(tie, stuck, topology);
    for (const leader of demands.filter((demand) => isCountedBy(tie, demand))) {
      for (const where of places) {
        const one = oneAt(leader, where);
        if (one.rungs?.length !== 0) yield [one, leader === stuck ? without(stuck, one) : stuck];
      }
    }
  }
}
