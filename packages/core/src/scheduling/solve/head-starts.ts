import type { Requirements } from '../../requirements/index.ts';
import type { PodSet } from '../pod-classes/pod-class.ts';
import { domainsOfKey, restrictTo } from './pod-set-orders.ts';
import { HOST } from '../topology/domain-table.ts';
import type { Group } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';

/** Groups of pods that a constraint reads, and the topology key within which it reads them. */
interface Dependency {
  readonly groups: readonly Group[];
  readonly key: number;
}

/** What the required affinity and spreads of a pod set depend on. */
const dependenciesOf = ({ podClass: { topology } }: PodSet): readonly Dependency[] => {
  const required = topology?.required;
  if (required === undefined) return [];
  const affinity = [...required.wide.affinity, ...required.host.affinity].flatMap(({ groups, allGroups }) =>
    groups.map(({ key }) => ({ groups: allGroups, key })),
  );
  return [...affinity, ...required.wide.spreads.map(({ group }) => ({ groups: [group], key: group.key }))];
};

const isCountedBy = ({ groups }: Dependency, { podClass: { topology }, terms }: PodSet): boolean =>
  terms === undefined && groups.every((group) => topology?.countedBy.includes(group));

/**
 * Where the leading pod may go: each domain of the key in turn; for a shared host, wherever the dependent pods may go
 * as well.
 */
const placesFor = ({ key }: Dependency, { podClass }: PodSet, topology: Topology): readonly Requirements[] => {
  if (key === HOST) return podClass.terms.map(({ requirements }) => requirements);
  return domainsOfKey(topology, key);
};

const oldestAt = ({ podClass, pods }: PodSet, where: Requirements): ReturnType<typeof restrictTo> =>
  restrictTo({ podClass, pods: pods.slice(0, 1) }, where);

const without = (podSet: PodSet, gone: PodSet): PodSet => ({ ...podSet, pods: podSet.pods.filter((pod) => !gone.pods.includes(pod)) });

/**
 * Head starts that may make a place for a stuck pod set. One pod that its constraints count is placed first, in each
 * domain in turn; the pod set comes right after it. Otherwise a pod is placed without regard to the pods that will
 * have to follow it.
 */
export function* headStartsFor(stuck: PodSet, podSets: readonly PodSet[], topology: Topology): Iterable<readonly PodSet[]> {
  for (const dependency of dependenciesOf(stuck)) {
    const places = placesFor(dependency, stuck, topology);
    for (const leader of podSets.filter((podSet) => isCountedBy(dependency, podSet))) {
      for (const where of places) {
        const leading = oldestAt(leader, where);
        if (leading.terms.length !== 0) yield [leading, leader === stuck ? without(stuck, leading) : stuck];
      }
    }
  }
}

/** One pod that the constraints of a stuck pod set count in each domain at once: a spread needs pods in all of them. */
export function* leadersEverywhere(stuck: PodSet, podSets: readonly PodSet[], topology: Topology): Iterable<readonly PodSet[]> {
  for (const dependency of dependenciesOf(stuck)) {
    if (dependency.key === HOST) continue;
    const places = placesFor(dependency, stuck, topology);
    for (const { podClass, pods } of podSets.filter((podSet) => isCountedBy(dependency, podSet))) {
      const leading = places.map((where, index) => restrictTo({ podClass, pods: pods.slice(index, index + 1) }, where));
      const able = leading.filter((each) => each.pods.length > 0 && each.terms.length > 0);
      if (able.length > 1) yield able;
    }
  }
}

/** The head start, then everything else in its old order. */
export const startingWith = (headStart: readonly PodSet[], podSets: readonly PodSet[]): readonly PodSet[] => {
  const taken = new Set(headStart.flatMap(({ pods }) => pods));
  const rest = podSets.map((podSet) => ({ ...podSet, pods: podSet.pods.filter((pod) => !taken.has(pod)) }));
  return [...headStart, ...rest.filter(({ pods }) => pods.length > 0)];
};
