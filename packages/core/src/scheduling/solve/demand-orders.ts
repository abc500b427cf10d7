import { compareText } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Demand } from '../classes/demand.ts';
import type { PodClass } from '../classes/pod-class.ts';

/** A pod, and what it is ordered by. */
interface Turn {
  readonly demand: Demand;
  readonly pod: Pod;
  readonly created: string;
  readonly index: number;
}

const needOf = ({ podClass: { shape } }: Demand, resource: string): number => shape.requests[resource] ?? 0;

const isConstrained = ({ podClass: { topology } }: Demand): boolean => {
  if (topology === undefined) return false;
  const { host, wide } = topology.required;
  return [host, wide].some(({ antiAffinity, spreads, affinity }) => antiAffinity.length + spreads.length + affinity.length > 0);
};

const turnsOf = (demands: readonly Demand[]): readonly Turn[] =>
  demands
    .flatMap((demand) => demand.pods.map((pod) => ({ demand, pod, created: pod.metadata.creationTimestamp ?? '' })))
    .map((turn, index) => ({ ...turn, index }));

/** Pods one by one, where equal neighbours are one demand again. */
const inTurn = (turns: readonly Turn[]): readonly Demand[] => {
  const demands: (Demand & { readonly pods: Pod[] })[] = [];
  for (const { demand, pod } of turns) {
    const last = demands.at(-1);
    if (last?.podClass === demand.podClass && last.rungs === demand.rungs) last.pods.push(pod);
    else demands.push({ ...demand, pods: [pod] });
  }
  return demands;
};

const nameOf = ({ pod: { metadata } }: Turn): string => metadata.uid ?? metadata.name;

const byAge = (a: Turn, b: Turn): number => compareText(a.created, b.created) || compareText(nameOf(a), nameOf(b)) || a.index - b.index;

/** The orders in which demands are placed, beside the one that they come in. */
export function* ordersOf(demands: readonly Demand[]): Iterable<readonly Demand[]> {
  yield inTurn(
    turnsOf(demands).toSorted(
      (a, b) => needOf(b.demand, 'cpu') - needOf(a.demand, 'cpu') || needOf(b.demand, 'memory') - needOf(a.demand, 'memory') || byAge(a, b),
    ),
  );
  yield demands.toSorted((a, b) => needOf(b, 'memory') - needOf(a, 'memory'));
  yield demands.toSorted((a, b) => Number(isConstrained(b)) - Number(isConstrained(a)));
  yield inTurn(turnsOf(demands).toSorted(byAge));
}

/**
 * The pod group's first half before all others and its second half after them, so that the others may join nodes of the
 * first half, and the second half nodes of the others. Empty for groups of fewer pods than `leastPods`, and where there
 * are no others.
 */
export const halvesAround = (podClass: PodClass, demands: readonly Demand[], leastPods: number): readonly (readonly Demand[])[] => {
  const own = turnsOf(demands.filter((demand) => demand.podClass === podClass));
  const others = demands.filter((demand) => demand.podClass !== podClass);
  if (own.length < leastPods || others.length === 0) return [];
  const half = Math.ceil(own.length / 2);
  return [[...inTurn(own.slice(0, half)), ...others, ...inTurn(own.slice(half))]];
};
