import type { Requirements } from '../../requirements/index.ts';
import type { Demand } from '../classes/pod-class.ts';
import { ledTo, withLabel } from './demand-orders.ts';
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

const isCountedBy = ({ groups }: Dependency, { podClass: { topology }, terms }: Demand): boolean =>
  terms === undefined && groups.every((group) => topology?.countedBy.includes(group));

/**
 * Where the leading pod may go: each domain of the key in turn; for a shared host, wherever the dependent pods may go
 * as well.
 */
const placesFor = ({ key }: Dependency, { podClass }: Demand, topology: Topology): readonly Requirements[] => {
  if (key === HOST) return podClass.terms.map(({ requirements }) => requirements);
  const label = topology.domains.keys[key] ?? '';
  return topology.valuesOf(key).map((value) => withLabel(label, value));
};

const oldestAt = ({ podClass, pods }: Demand, where: Requirements): ReturnType<typeof ledTo> =>
  ledTo({ podClass, pods: pods.slice(0, 1) }, where);

const without = (demand: Demand, gone: Demand): Demand => ({ ...demand, pods: demand.pods.filter((pod) => !gone.pods.includes(pod)) });

/**
 * Head starts that may make a place for a stuck demand: one pod that its constraints count is placed first, in each
 * domain in turn, and the demand right after it. Otherwise a pod is placed without regard to the pods that will have to
 * follow it.
 */
export function* headStartsFor(stuck: Demand, demands: readonly Demand[], topology: Topology): Iterable<readonly Demand[]> {
  for (const dependency of dependenciesOf(stuck)) {
    const places = placesFor(dependency, stuck, topology);
    for (const leader of demands.filter((demand) => isCountedBy(dependency, demand))) {
      for (const where of places) {
        const leading = oldestAt(leader, where);
        if (leading.terms.length !== 0) yield [leading, leader === stuck ? without(stuck, leading) : stuck];
      }
    }
  }
}

/** One pod that the constraints of a stuck demand count in each domain at once: a spread needs pods in all of them. */
export function* leadersEverywhere(stuck: Demand, demands: readonly Demand[], topology: Topology): Iterable<readonly Demand[]> {
  for (const dependency of dependenciesOf(stuck)) {
    if (dependency.key === HOST) continue;
    const places = placesFor(dependency, stuck, topology);
    for (const { podClass, pods } of demands.filter((demand) => isCountedBy(dependency, demand))) {
      const leading = places.map((where, index) => ledTo({ podClass, pods: pods.slice(index, index + 1) }, where));
      const able = leading.filter((each) => each.pods.length > 0 && each.terms.length > 0);
      if (able.length > 1) yield able;
    }
  }
}

/** The head start, then everything else in its old order. */
export const startingWith = (headStart: readonly Demand[], demands: readonly Demand[]): readonly Demand[] => {
  const taken = new Set(headStart.flatMap(({ pods }) => pods));
  const rest = demands.map((demand) => ({ ...demand, pods: demand.pods.filter((pod) => !taken.has(pod)) }));
  return [...headStart, ...rest.filter(({ pods }) => pods.length > 0)];
};
