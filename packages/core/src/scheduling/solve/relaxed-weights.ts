import { itemAt } from '../../base/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import { toleratesSoftTaints } from '../pod-classes/node-term.ts';
import type { Run } from '../nodes/new-nodes/new-node.ts';
import { isMetBeside } from '../topology/group.ts';
import type { Checks } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import type { Places, Solution } from './solve.ts';

/** What an untainted node weighs beside other preferences. */
const FULL_WEIGHT = 100;

/** Pods of one class on one node, and the domains of the node by key. */
interface Seat {
  readonly run: Run;
  readonly domainOf: (key: number) => number;
}

const seatsOf = ({ existing }: Places, { newNodes }: Solution, topology: Topology): readonly Seat[] => [
  ...existing.log.map((run) => ({ run, domainOf: topology.domainsOfNode(run.node) })),
  ...newNodes.flatMap(({ runs, fit }, number) => {
    const domainOf = topology.domainsOfNewNode(number, fit.state);
    return runs.map((run) => ({ run, domainOf }));
  }),
];

/** The preferences about other pods, by their position in the class. */
const checksOf = ({ topology, preferences }: PodClass): readonly (Checks | undefined)[] =>
  preferences.map((_, index) => topology?.checksOfPreference(index));

const isMetAt = ({ run, domainOf }: Seat, { host, wide }: Checks): boolean => {
  const countedBy = run.podClass.topology?.countedBy ?? [];
  return isMetBeside(host, countedBy, domainOf) && isMetBeside(wide, countedBy, domainOf);
};

/**
 * The sum of the weights of preferences that pods lack once all are placed. Later pods may have taken them away, or
 * brought them. Those about labels do not change, and count as they were placed. Packing keeps what it finds. Read it
 * before anything else is placed.
 */
export const weightRelaxed = (places: Places, solution: Solution, podSets: readonly PodSet[]): number => {
  let total = 0;
  const add = (weight: number, count: number): void => {
    total += weight * count;
  };
  const classes = [...new Set(podSets.map(({ podClass }) => podClass))].filter(({ preferences }) => preferences.length > 0);
  const checks = new Map(classes.map((podClass) => [podClass, checksOf(podClass)]));
  for (const podClass of classes) {
    const relaxed = solution.relaxed.of(podClass);
    podClass.preferences.forEach(({ weight }, index) => {
      if (checks.get(podClass)?.[index] === undefined) add(weight, relaxed === undefined ? 0 : itemAt(relaxed, index).podCount);
    });
  }
  const topology = places.withTopology?.topology;
  for (const seat of topology === undefined ? [] : seatsOf(places, solution, topology)) {
    const { podClass, term, count } = seat.run;
    if (toleratesSoftTaints(term)) add(FULL_WEIGHT, count);
    checks.get(podClass)?.forEach((each, index) => {
      if (each !== undefined && !isMetAt(seat, each)) add(itemAt(podClass.preferences, index).weight, count);
    });
  }
  return total;
};
