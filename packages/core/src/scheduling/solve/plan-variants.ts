import type { Demand } from '../classes/demand.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { Checks } from '../topology/checks.ts';
import type { DomainOrder } from '../topology/domain-table.ts';
import type { Topology } from '../topology/topology.ts';
import { ordersOf } from './demand-orders.ts';
import { headStartsFor, leadersEverywhere, startingWith } from './head-starts.ts';
import { ledTo, withLabel } from './led-demand.ts';
import type { Leftover } from './solve.ts';

/** Pod groups in an order, some of them led to one domain, and the order in which domains are tried. */
export interface Variant {
  readonly demands: readonly Demand[];
  readonly domainOrder: DomainOrder;
  /** Whether some pods lead the way for others. */
  readonly isOutOfOrder?: boolean;
}

const requiredOf = ({ topology }: PodClass): Checks | undefined => topology?.required;

/** The keys whose domains its constraints and its preferences about other pods read. */
const keysOf = ({ topology }: PodClass): readonly number[] =>
  topology === undefined ? [] : topology.checksWith(topology.preferences).keys;

/** Constraints about other pods that read the same domains tie pod groups together. */
const groupsOf = (podClass: PodClass): readonly unknown[] => {
  const required = requiredOf(podClass);
  if (required === undefined) return [];
  return [...required.wide.affinity.flatMap(({ groups }) => groups), ...required.wide.spreads.map(({ group }) => group)];
};

const classesOf = (demands: readonly Demand[]): readonly PodClass[] => [...new Set(demands.map(({ podClass }) => podClass))];

/** The pod group alone, and with all that its constraints tie it to, led to each domain of each key that it reads. */
function* ledVariants(podClass: PodClass, { demands }: Variant, topology: Topology): Iterable<readonly Demand[]> {
  const groups = groupsOf(podClass);
  const isTied = (other: PodClass): boolean => groupsOf(other).some((group) => groups.includes(group));
  for (const key of keysOf(podClass)) {
    const tied = new Set(classesOf(demands).filter((other) => other !== podClass && isTied(other) && keysOf(other).includes(key)));
    const label = topology.domains.keys[key] ?? '';
    for (const value of topology.valuesOf(key)) {
      const where = withLabel(label, value);
      yield demands.map((each) => (each.podClass === podClass ? ledTo(each, where) : each));
      if (tied.size > 0) yield demands.map((each) => (each.podClass === podClass || tied.has(each.podClass) ? ledTo(each, where) : each));
    }
  }
}

/** The pod group led to each domain of each key that only other groups read: nodes of the two are shared, after all. */
function* freelyLed(podClass: PodClass, { demands }: Variant, topology: Topology): Iterable<readonly Demand[]> {
  const own = new Set(keysOf(podClass));
  for (const [key, label] of topology.domains.keys.entries()) {
    if (own.has(key)) continue;
    for (const value of topology.valuesOf(key)) {
      const where = withLabel(label, value);
      yield demands.map((each) => (each.podClass === podClass ? ledTo(each, where) : each));
    }
  }
}

const withFirst = (podClass: PodClass, demands: readonly Demand[]): readonly Demand[] => [
  ...demands.filter((each) => each.podClass === podClass),
  ...demands.filter((each) => each.podClass !== podClass),
];

/** Pods that are left over come first, or one pod leads the way for them. */
function* rescuesOf({ demands, domainOrder }: Variant, leftovers: readonly Leftover[], topology: Topology | undefined): Iterable<Variant> {
  const stuck = leftovers.filter(({ demand: { podClass } }) => podClass.problem === undefined && podClass.unknownResource === undefined);
  if (stuck.length === 0) return;
  const classes = new Set(stuck.map(({ demand }) => demand.podClass));
  const isStuck = ({ podClass }: Demand): boolean => classes.has(podClass);
  yield { domainOrder, demands: [...demands.filter(isStuck), ...demands.filter((each) => !isStuck(each))], isOutOfOrder: true };
  if (topology === undefined) return;
  for (const { demand } of stuck) {
    for (const [leading] of headStartsFor(demand, demands, topology)) {
      if (leading !== undefined) yield { domainOrder, demands: startingWith([leading], demands), isOutOfOrder: true };
    }
    for (const leading of leadersEverywhere(demand, demands, topology))
      yield { domainOrder, demands: startingWith(leading, demands), isOutOfOrder: true };
  }
}

/** What differs from the variant in one respect. */
export function* neighboursOf(variant: Variant, leftovers: readonly Leftover[], topology: Topology | undefined): Iterable<Variant> {
  const { demands, domainOrder } = variant;
  yield { ...variant, domainOrder: domainOrder === 'emptiest' ? 'cheapest' : 'emptiest' };
  yield* rescuesOf(variant, leftovers, topology);
  for (const ordered of ordersOf(demands)) yield { ...variant, demands: ordered };
  const classes = classesOf(demands);
  if (topology !== undefined)
    for (const podClass of classes) for (const led of ledVariants(podClass, variant, topology)) yield { ...variant, demands: led };
  for (const podClass of classes) yield { ...variant, demands: withFirst(podClass, demands) };
  if (topology !== undefined)
    for (const podClass of classes) for (const led of freelyLed(podClass, variant, topology)) yield { ...variant, demands: led };
}
