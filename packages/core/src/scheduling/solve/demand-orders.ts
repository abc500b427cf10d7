import { compareText } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Demand, PodClass } from '../classes/pod-class.ts';
import { requirementsText } from '../../catalog/index.ts';
import { firstConflict } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { narrowedTerm } from '../classes/node-term.ts';
import type { NodeTerm } from '../classes/node-term.ts';
import type { NewNode } from '../places/new-nodes/new-node.ts';
import type { Topology } from '../topology/topology.ts';

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
    if (last?.podClass === demand.podClass && last.terms === demand.terms) last.pods.push(pod);
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

/** Nodes whose label has this value. */
export const withLabel = (key: string, value: string): Requirements =>
  new Map([[key, { key, values: { kind: 'in', values: new Set([value]) }, mayBeAbsent: false }]]);

const narrowed = new WeakMap<NodeTerm, Map<string, NodeTerm>>();

/** Remembered, because places remember their answers by the identity of the term. `text` is that of the requirements. */
const narrowedTo = (term: NodeTerm, where: Requirements, text: string): NodeTerm => {
  const ofTerm = narrowed.get(term) ?? new Map<string, NodeTerm>();
  narrowed.set(term, ofTerm);
  const known = ofTerm.get(text) ?? narrowedTerm(term, where);
  ofTerm.set(text, known);
  return known;
};

const ledTerms = (terms: readonly NodeTerm[], where: Requirements): readonly NodeTerm[] => {
  const text = requirementsText(where);
  return terms.filter(({ requirements }) => firstConflict(requirements, where) === undefined).map((term) => narrowedTo(term, where, text));
};

/**
 * The demand, to be placed only where the requirements hold too; instead of where it was led before, if the two exclude
 * each other. Without terms where the pods could never go there.
 */
export const ledTo = (demand: Demand, where: Requirements): Demand & Required<Pick<Demand, 'terms'>> => {
  const own = demand.podClass.terms;
  const terms = ledTerms(demand.terms ?? own, where);
  return { ...demand, terms: terms.length === 0 && demand.terms !== undefined ? ledTerms(own, where) : terms };
};

/** The pods of one planned node, as the pod groups have them, and the others. */
const splitBy = (
  { runs }: NewNode,
  demands: readonly Demand[],
): { readonly own: readonly Demand[]; readonly others: readonly Demand[] } => {
  const left = new Map<PodClass, number>();
  for (const { podClass, count } of runs) left.set(podClass, (left.get(podClass) ?? 0) + count);
  const own: Demand[] = [];
  const others: Demand[] = [];
  for (const demand of demands) {
    const wanted = left.get(demand.podClass) ?? 0;
    const [taken, rest] = [demand.pods.slice(0, wanted), demand.pods.slice(wanted)];
    left.set(demand.podClass, wanted - taken.length);
    if (taken.length > 0) own.push({ ...demand, pods: taken });
    if (rest.length > 0) others.push({ ...demand, pods: rest });
  }
  return { own, others };
};

/** The pods of a planned node before all others, after them, and before them in each domain. */
export function* nodeFirst(newNode: NewNode, demands: readonly Demand[], topology: Topology | undefined): Iterable<readonly Demand[]> {
  const { own, others } = splitBy(newNode, demands);
  yield [...own, ...others];
  yield [...others, ...own];
  for (const [key, label] of topology?.domains.keys.entries() ?? []) {
    for (const value of topology?.valuesOf(key) ?? []) {
      const led = own.map((each) => ledTo(each, withLabel(label, value)));
      if (led.every(({ terms }) => terms.length > 0)) yield [...led, ...others];
    }
  }
}
