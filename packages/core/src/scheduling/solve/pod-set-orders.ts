import { compareText, getOrMake, memoByKey, memoByObject } from '../../base/index.ts';
import { amountIn } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import { requirementsText } from '../../catalog/index.ts';
import { firstConflict, inValues } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { narrowedTerm } from '../pod-classes/node-term.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { Topology } from '../topology/topology.ts';

/** A pod, and what it is ordered by. */
interface Turn {
  readonly podSet: PodSet;
  readonly pod: Pod;
  readonly created: string;
  readonly index: number;
}

const needOf = ({ podClass: { shape } }: PodSet, resource: string): number => amountIn(shape.requests, resource);

const isConstrained = ({ podClass: { topology } }: PodSet): boolean =>
  [topology?.required.host, topology?.required.wide].some(
    (checks) => checks !== undefined && checks.antiAffinity.length + checks.spreads.length + checks.affinity.length > 0,
  );

const turnsOf = (podSets: readonly PodSet[]): readonly Turn[] =>
  podSets
    .flatMap((podSet) => podSet.pods.map((pod) => ({ podSet, pod, created: pod.metadata.creationTimestamp ?? '' })))
    .map((turn, index) => ({ ...turn, index }));

/** Pods one by one, where equal neighbours are one pod set again. */
const inTurn = (turns: readonly Turn[]): readonly PodSet[] => {
  const podSets: (PodSet & { readonly pods: Pod[] })[] = [];
  for (const { podSet, pod } of turns) {
    const last = podSets.at(-1);
    if (last?.podClass === podSet.podClass && last.terms === podSet.terms) last.pods.push(pod);
    else podSets.push({ ...podSet, pods: [pod] });
  }
  return podSets;
};

const nameOf = ({ pod: { metadata } }: Turn): string => metadata.uid ?? metadata.name;

const byAge = (a: Turn, b: Turn): number => compareText(a.created, b.created) || compareText(nameOf(a), nameOf(b)) || a.index - b.index;

const bySize = (a: Turn, b: Turn): number =>
  needOf(b.podSet, 'cpu') - needOf(a.podSet, 'cpu') || needOf(b.podSet, 'memory') - needOf(a.podSet, 'memory') || byAge(a, b);

/** The orders in which pod sets are placed, beside the one that they come in. */
export function* ordersOf(podSets: readonly PodSet[]): Iterable<readonly PodSet[]> {
  yield inTurn(turnsOf(podSets).toSorted(bySize));
  yield podSets.toSorted((a, b) => needOf(b, 'memory') - needOf(a, 'memory'));
  yield podSets.toSorted((a, b) => Number(isConstrained(b)) - Number(isConstrained(a)));
  yield inTurn(turnsOf(podSets).toSorted(byAge));
}

/**
 * The pod set's first half before all others and its second half after them. The others may join nodes of the first
 * half, and the second half nodes of the others. Empty for sets of fewer pods than `leastPods`, and where there are
 * no others.
 */
export const halvesAround = (podClass: PodClass, podSets: readonly PodSet[], leastPods: number): readonly (readonly PodSet[])[] => {
  const own = turnsOf(podSets.filter((podSet) => podSet.podClass === podClass));
  const others = podSets.filter((podSet) => podSet.podClass !== podClass);
  if (own.length < leastPods || others.length === 0) return [];
  const half = Math.ceil(own.length / 2);
  return [[...inTurn(own.slice(0, half)), ...others, ...inTurn(own.slice(half))]];
};

/** Nodes whose label has this value. */
export const withLabel = (key: string, value: string): Requirements => new Map([[key, inValues(key, [value])]]);

const domainsIn = memoByObject((topology: Topology) =>
  memoByKey((key: number): readonly Requirements[] => {
    const label = topology.domains.labelOfKey(key);
    return topology.valuesOf(key).map((value) => withLabel(label, value));
  }),
);

/** What nodes of each domain of the key meet, in the order of their values. Remembered: every variant asks for them. */
export const domainsOfKey = (topology: Topology, key: number): readonly Requirements[] => domainsIn(topology)(key);

/** The same for one key after the other. Without `keys`: for every key. */
export function* domainsOfKeys(topology: Topology, keys: Iterable<number> = topology.domains.keys.keys()): Iterable<Requirements> {
  for (const key of keys) yield* domainsOfKey(topology, key);
}

const textOfDomain = memoByObject(requirementsText);

const narrowed = new WeakMap<NodeTerm, Map<string, NodeTerm>>();

/** Remembered, because places remember their answers by the identity of the term. `text` is that of the requirements. */
const narrowedTo = (term: NodeTerm, where: Requirements, text: string): NodeTerm =>
  getOrMake(
    getOrMake(narrowed, term, () => new Map<string, NodeTerm>()),
    text,
    () => narrowedTerm(term, where),
  );

const ledTerms = (terms: readonly NodeTerm[], where: Requirements): readonly NodeTerm[] => {
  const text = textOfDomain(where);
  return terms.filter(({ requirements }) => firstConflict(requirements, where) === undefined).map((term) => narrowedTo(term, where, text));
};

/**
 * The pod set, to be placed only where the requirements hold too; instead of where it was led before, if the two exclude
 * each other. Without terms where the pods could never go there.
 */
export const restrictTo = (podSet: PodSet, where: Requirements): PodSet & Required<Pick<PodSet, 'terms'>> => {
  const own = podSet.podClass.terms;
  const terms = ledTerms(podSet.terms ?? own, where);
  return { ...podSet, terms: terms.length === 0 && podSet.terms !== undefined ? ledTerms(own, where) : terms };
};
