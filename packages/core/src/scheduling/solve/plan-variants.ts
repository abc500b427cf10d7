import type { PodSet, PodClass } from '../pod-classes/pod-class.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { Checks } from '../topology/group.ts';
import type { DomainOrder } from '../topology/domain-table.ts';
import type { Topology } from '../topology/topology.ts';
import { domainsOfKey, domainsOfKeys, halvesAround, restrictTo, ordersOf } from './pod-set-orders.ts';
import { headStartsFor, leadersEverywhere, startingWith } from './head-starts.ts';
import type { UnplacedPods } from './solve.ts';
import { typeRulesFor } from './type-rules.ts';
import type { TypeRule } from './solve.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import type { NodeTemplate } from '../nodes/node-model.ts';

/** Pod sets in an order, some of them led to one domain, and the order in which domains are tried. */
export interface Variant {
  readonly podSets: readonly PodSet[];
  readonly domainOrder: DomainOrder;
  /** Absent: any type. */
  readonly types?: TypeRule | undefined;
  /** Whether a pod joins a new node only where that costs no more than a node of its own. */
  readonly isFrugal?: boolean | undefined;
  /** Whether pods get new nodes by one ORed term before nodes that are there by the next. */
  readonly isTermByTerm?: boolean | undefined;
  /** Whether new nodes for pods with device claims have the sizes that cost least. */
  readonly hasSizedNodes?: boolean | undefined;
  /** Whether some pods lead the way for others. */
  readonly isOutOfOrder?: boolean;
}

const requiredOf = ({ topology }: PodClass): Checks | undefined => topology?.required;

/** The keys whose domains its constraints and its preferences about other pods read. */
const keysOf = ({ topology }: PodClass): readonly number[] =>
  topology === undefined ? [] : topology.checksWith(topology.preferences).keys;

/** Constraints about other pods that read the same domains tie pod sets together. */
const groupsOf = (podClass: PodClass): readonly unknown[] => {
  const required = requiredOf(podClass);
  if (required === undefined) return [];
  return [...required.wide.affinity.flatMap(({ groups }) => groups), ...required.wide.spreads.map(({ group }) => group)];
};

const classesOf = (podSets: readonly PodSet[]): readonly PodClass[] => [...new Set(podSets.map(({ podClass }) => podClass))];

/** The pod sets, with those of the class led to the domain. */
const withLed = (podClass: PodClass, podSets: readonly PodSet[], where: Requirements): readonly PodSet[] =>
  podSets.map((each) => (each.podClass === podClass ? restrictTo(each, where) : each));

/** The pod set alone, and with all that its constraints tie it to, led to each domain of each key that it reads. */
function* ledVariants(podClass: PodClass, { podSets }: Variant, topology: Topology): Iterable<readonly PodSet[]> {
  const groups = groupsOf(podClass);
  const isTied = (other: PodClass): boolean => groupsOf(other).some((group) => groups.includes(group));
  for (const key of keysOf(podClass)) {
    const tied = new Set(classesOf(podSets).filter((other) => other !== podClass && isTied(other) && keysOf(other).includes(key)));
    for (const where of domainsOfKey(topology, key)) {
      yield withLed(podClass, podSets, where);
      if (tied.size > 0)
        yield podSets.map((each) => (each.podClass === podClass || tied.has(each.podClass) ? restrictTo(each, where) : each));
    }
  }
}

/** The pod set led to each domain of each key that only other sets read: nodes of the two are shared, after all. */
function* freelyLed(podClass: PodClass, { podSets }: Variant, topology: Topology): Iterable<readonly PodSet[]> {
  const own = new Set(keysOf(podClass));
  const others = topology.domains.keys.keys().filter((key) => !own.has(key));
  for (const where of domainsOfKeys(topology, others)) yield withLed(podClass, podSets, where);
}

/** The pod sets of these classes before all others. */
export const orderWithFirst = (classes: ReadonlySet<PodClass>, podSets: readonly PodSet[]): readonly PodSet[] => [
  ...podSets.filter(({ podClass }) => classes.has(podClass)),
  ...podSets.filter(({ podClass }) => !classes.has(podClass)),
];

const withFirst = (podClass: PodClass, podSets: readonly PodSet[]): readonly PodSet[] => orderWithFirst(new Set([podClass]), podSets);

/** Pods that are left over come first, or one pod leads the way for them. */
function* rescuesOf(variant: Variant, unplaced: readonly UnplacedPods[], topology: Topology | undefined): Iterable<Variant> {
  const stuck = unplaced.filter(({ podSet: { podClass } }) => podClass.problem === undefined && podClass.unknownResource === undefined);
  if (stuck.length === 0) return;
  const { podSets } = variant;
  const rescued = (ordered: readonly PodSet[]): Variant => ({ ...variant, podSets: ordered, isOutOfOrder: true });
  yield rescued(orderWithFirst(new Set(stuck.map(({ podSet }) => podSet.podClass)), podSets));
  if (topology === undefined) return;
  for (const { podSet } of stuck) {
    for (const [leading] of headStartsFor(podSet, podSets, topology)) {
      if (leading !== undefined) yield rescued(startingWith([leading], podSets));
    }
    for (const leading of leadersEverywhere(podSet, podSets, topology)) yield rescued(startingWith(leading, podSets));
  }
}

/**
 * Pod sets of fewer pods are led as a whole only, and plans of fewer nodes are not varied node by node. The other
 * moves find the same plans.
 */
const WORTH_HALVING = 4;
const WORTH_NODE_BY_NODE = 3;

/** One half of a pod set led to one domain, the rest as before. */
function* halvesLed(podClass: PodClass, { podSets }: Variant, topology: Topology): Iterable<readonly PodSet[]> {
  const at = podSets.findIndex((each) => each.podClass === podClass && each.pods.length >= WORTH_HALVING);
  const whole = podSets[at];
  if (whole === undefined) return;
  const half = Math.ceil(whole.pods.length / 2);
  const [first, second] = [
    { ...whole, pods: whole.pods.slice(0, half) },
    { ...whole, pods: whole.pods.slice(half) },
  ];
  for (const where of domainsOfKeys(topology)) yield podSets.toSpliced(at, 1, restrictTo(first, where), second);
}

/** The pods of one new node, as the pod sets have them, and the others. */
const splitBy = (
  { runs }: NewNode,
  podSets: readonly PodSet[],
): { readonly own: readonly PodSet[]; readonly others: readonly PodSet[] } => {
  const left = new Map<PodClass, number>();
  for (const { podClass, count } of runs) left.set(podClass, (left.get(podClass) ?? 0) + count);
  const own: PodSet[] = [];
  const others: PodSet[] = [];
  for (const podSet of podSets) {
    const wanted = left.get(podSet.podClass) ?? 0;
    const [taken, rest] = [podSet.pods.slice(0, wanted), podSet.pods.slice(wanted)];
    left.set(podSet.podClass, wanted - taken.length);
    if (taken.length > 0) own.push({ ...podSet, pods: taken });
    if (rest.length > 0) others.push({ ...podSet, pods: rest });
  }
  return { own, others };
};

/** The pods of a new node before all others, after them, and before them in each domain. */
export function* nodeFirst(newNode: NewNode, podSets: readonly PodSet[], topology: Topology | undefined): Iterable<readonly PodSet[]> {
  const { own, others } = splitBy(newNode, podSets);
  yield [...own, ...others];
  yield [...others, ...own];
  if (topology === undefined) return;
  for (const where of domainsOfKeys(topology)) {
    const led = own.map((each) => restrictTo(each, where));
    if (led.every(({ terms }) => terms.length > 0)) yield [...led, ...others];
  }
}

/** What the moves from a variant depend on. */
export interface Neighbourhood {
  readonly variant: Variant;
  readonly unplaced: readonly UnplacedPods[];
  readonly newNodes: readonly NewNode[];
  readonly templates: readonly NodeTemplate[];
  readonly topology: Topology | undefined;
}

/** Variants that differ in one kind of respect. */
export type VariantMove = (from: Neighbourhood) => Iterable<Variant>;

/** A move that only changes the pod sets, made for each class in turn. Makes nothing where there are no topology keys. */
const leading = (leadsOf: (podClass: PodClass, variant: Variant, topology: Topology) => Iterable<readonly PodSet[]>): VariantMove =>
  function* ({ variant, topology }) {
    if (topology === undefined) return;
    for (const podClass of classesOf(variant.podSets))
      for (const podSets of leadsOf(podClass, variant, topology)) yield { ...variant, podSets };
  };

const otherDomainOrder: VariantMove = ({ variant }) => [
  { ...variant, domainOrder: variant.domainOrder === 'emptiest' ? 'cheapest' : 'emptiest' },
];
const rescues: VariantMove = ({ variant, unplaced, topology }) => rescuesOf(variant, unplaced, topology);
const inOtherOrders: VariantMove = ({ variant }) => [...ordersOf(variant.podSets)].map((podSets) => ({ ...variant, podSets }));
const led = leading(ledVariants);
const eachFirst: VariantMove = ({ variant }) =>
  classesOf(variant.podSets).map((podClass) => ({ ...variant, podSets: withFirst(podClass, variant.podSets) }));
const ledFreely = leading(freelyLed);
const frugally: VariantMove = ({ variant }) => [{ ...variant, isFrugal: variant.isFrugal !== true }];
const termByTerm: VariantMove = ({ variant }) =>
  variant.podSets.some(({ podClass }) => podClass.levels.some((terms) => terms.length > 1))
    ? [{ ...variant, isTermByTerm: variant.isTermByTerm !== true }]
    : [];
const sized: VariantMove = ({ variant }) =>
  variant.podSets.some(({ podClass }) => podClass.devices !== undefined)
    ? [{ ...variant, hasSizedNodes: variant.hasSizedNodes !== true }]
    : [];
const onOtherTypes: VariantMove = ({ variant, newNodes, templates }) =>
  typeRulesFor(variant.types, newNodes, templates).map((types) => ({ ...variant, types }));
const halfLed = leading(halvesLed);
const eachLast: VariantMove = ({ variant }) =>
  classesOf(variant.podSets).map((podClass) => ({ ...variant, podSets: withFirst(podClass, variant.podSets).toReversed() }));
const halfFirst: VariantMove = ({ variant }) =>
  classesOf(variant.podSets).flatMap((podClass) =>
    halvesAround(podClass, variant.podSets, WORTH_HALVING).map((podSets) => ({ ...variant, podSets })),
  );
const nodeByNode: VariantMove = ({ variant, newNodes, topology }) =>
  (newNodes.length < WORTH_NODE_BY_NODE ? [] : newNodes)
    .flatMap((newNode) => [...nodeFirst(newNode, variant.podSets, topology)])
    .map((podSets) => ({ ...variant, podSets }));

/** Two moves at once. */
const both = (one: VariantMove, other: VariantMove): VariantMove =>
  function* (from) {
    for (const variant of one(from)) yield* other({ ...from, variant });
  };

/**
 * The kinds of moves in the orders in which they are tried. Which plan a search ends with depends on the first move
 * that helps: one search looks for another order first, the other for other domains. Halves before and after all
 * others, and two moves at once, are many, and come last.
 */
export const ways: readonly (readonly VariantMove[])[] = [
  [
    ...[
      otherDomainOrder,
      rescues,
      sized,
      inOtherOrders,
      led,
      eachFirst,
      ledFreely,
      frugally,
      termByTerm,
      onOtherTypes,
      halfLed,
      eachLast,
      nodeByNode,
    ],
    ...[halfFirst, both(inOtherOrders, led), both(eachFirst, led), both(eachFirst, ledFreely)],
  ],
  [
    led,
    ledFreely,
    halfLed,
    inOtherOrders,
    eachFirst,
    rescues,
    sized,
    otherDomainOrder,
    eachLast,
    nodeByNode,
    frugally,
    termByTerm,
    onOtherTypes,
  ],
];

/** Pods that are left over come first, led to each domain of each key that they read. */
export const leftOverLed: VariantMove = function* ({ variant, unplaced, topology }) {
  if (topology === undefined) return;
  for (const { podClass } of unplaced.map(({ podSet }) => podSet)) {
    const podSets = withFirst(podClass, variant.podSets);
    for (const where of domainsOfKeys(topology, keysOf(podClass)))
      yield { ...variant, podSets: withLed(podClass, podSets, where), isOutOfOrder: true };
  }
};

/** Other types together with another order of pods: too many to be tried before a search has ended. */
export const twoChanges: VariantMove = both(onOtherTypes, inOtherOrders);
