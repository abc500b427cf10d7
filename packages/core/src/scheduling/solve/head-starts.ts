import { requirementsText } from '../../catalog/index.ts';
import { firstConflict } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { Demand } from '../classes/demand.ts';
import { narrowedRung } from '../classes/rung.ts';
import type { Rung } from '../classes/rung.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';

/** Groups of pods that a constraint reads, and the topology key within which it reads them. */
interface Dependency {
  readonly groups: readonly Group[];
  readonly key: number;
}

/** What the required affinity and spreads of a demand depend on. */
const dependenciesOf = ({ podClass: { topology } }: Demand): readonly Dependency[] => {
  const required = topology?.required;
  if (required === undefined) return [];
  const affinity = [...required.wide.affinity, ...required.host.affinity].flatMap(({ groups, allGroups }) =>
    groups.map(({ key }) => ({ groups: allGroups, key })),
  );
  return [...affinity, ...required.wide.spreads.map(({ group }) => ({ groups: [group], key: group.key }))];
};

const isCountedBy = ({ groups }: Dependency, { podClass: { topology }, rungs }: Demand): boolean =>
  rungs === undefined && groups.every((group) => topology?.countedBy.includes(group));

const only = (key: string, value: string): Requirement => ({ key, values: { kind: 'in', values: new Set([value]) }, mayBeAbsent: false });

/** Where the leading pod may go: each domain of the key in turn; for a shared host, wherever the dependent pods may go as well. */
const placesFor = ({ key }: Dependency, { podClass }: Demand, topology: Topology): readonly Requirements[] => {
  if (key === HOST) return podClass.rungs.map(({ requirements }) => requirements);
  const label = topology.domains.keys[key] ?? '';
  return topology.valuesOf(key).map((value) => new Map([[label, only(label, value)]]));
};

const narrowed = new WeakMap<Rung, Map<string, Rung>>();

/** Remembered, because places remember their answers by the identity of the rung. */
const narrowedTo = (rung: Rung, where: Requirements): Rung => {
  const ofRung = narrowed.get(rung) ?? new Map<string, Rung>();
  narrowed.set(rung, ofRung);
  const text = requirementsText(where);
  const fresh = ofRung.get(text) ?? narrowedRung(rung, where);
  ofRung.set(text, fresh);
  return fresh;
};

const oldestAt = ({ podClass, pods }: Demand, where: Requirements): Demand => ({
  podClass,
  pods: pods.slice(0, 1),
  rungs: podClass.rungs
    .filter(({ requirements }) => firstConflict(requirements, where) === undefined)
    .map((rung) => narrowedTo(rung, where)),
});

const without = (demand: Demand, gone: Demand): Demand => ({ ...demand, pods: demand.pods.filter((pod) => !gone.pods.includes(pod)) });

/**
 * Head starts that may make a place for a stuck demand: one pod that its constraints count is placed first, in each domain in turn, and the demand
 * right after it. Otherwise a pod is placed without regard to the pods that will have to follow it.
 */
export function* headStartsFor(stuck: Demand, demands: readonly Demand[], topology: Topology): Iterable<readonly Demand[]> {
  for (const dependency of dependenciesOf(stuck)) {
    const places = placesFor(dependency, stuck, topology);
    for (const leader of demands.filter((demand) => isCountedBy(dependency, demand))) {
      for (const where of places) {
        const leading = oldestAt(leader, where);
        if (leading.rungs?.length !== 0) yield [leading, leader === stuck ? without(stuck, leading) : stuck];
      }
    }
  }
}
