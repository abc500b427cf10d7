import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import type { PodSpec } from '@karpenter/core/internal';
import { namespacedNameOf } from '@karpenter/core/internal';
import { reservedAmounts } from './amounts.ts';
import { stableName } from './node-labels.ts';
import { affinityTerms, antiAffinityTerms, hardSpreads } from './pod-rules.ts';
import { scopeOfSpread } from './pod-scope.ts';
import { Replay } from './replay.ts';
import type { Wait } from './replay.ts';
import { searchBindOrder } from './search-order.ts';
import { existingSpots, plannedSpots } from './spot.ts';
import type { Violation } from './violation.ts';

const nameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

const speaksOfOthers = ({ affinity, topologySpreadConstraints }: PodSpec): boolean =>
  affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || topologySpreadConstraints !== undefined;

/** Labels that some constraint reads of a node. */
const keysRead = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(
    pods
      .flatMap(({ spec }) => [
        ...[...antiAffinityTerms(spec), ...affinityTerms(spec), ...hardSpreads(spec)].map(({ topologyKey }) => topologyKey),
        ...Object.keys(spec.nodeSelector ?? {}),
        ...(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap(
          ({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key),
        ),
      ])
      .flatMap((key) => [key, stableName(key)]),
  );

/** Binds what may be bound, again and again; what is left cannot be bound after any of the others. */
const bindAll = (replay: Replay, waits: readonly Wait[]): readonly Wait[] => {
  let waiting = waits;
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter((wait) => {
      const isAllowed = replay.isAllowed(wait);
      if (isAllowed) replay.bind(wait);
      return !isAllowed;
    });
  }
  return waiting;
};

/** Identical pods, in queues: the largest first (cpu, then memory), as Karpenter plans, and of one size the oldest first. */
const alike = (waits: readonly Wait[]): readonly (readonly Wait[])[] => {
  const queues = new Map<string, Wait[]>();
  for (const wait of waits.toSorted((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1))) {
    const { metadata, spec } = wait.pod;
    const { nodeName: _, ...wanted } = spec;
    const text = JSON.stringify([metadata.namespace, metadata.labels, wanted]);
    const queue = queues.get(text);
    if (queue === undefined) queues.set(text, [wait]);
    else queue.push(wait);
  }
  return [...queues.values()]
    .map((queue) => ({ queue, size: queue[0] === undefined ? new Map<string, number>() : reservedAmounts(queue[0].pod) }))
    .sort((a, b) => (b.size.get('cpu') ?? 0) - (a.size.get('cpu') ?? 0) || (b.size.get('memory') ?? 0) - (a.size.get('memory') ?? 0))
    .map(({ queue }) => queue);
};

const spreading = (waits: readonly Wait[]): readonly Wait[] => waits.filter(({ pod: { spec } }) => hardSpreads(spec).length > 0);
const joining = (waits: readonly Wait[]): readonly Wait[] => waits.filter(({ pod: { spec } }) => affinityTerms(spec).length > 0);

/** Those that spread over domains that several nodes share: any pod that comes before may stand in their way. */
const spreadingWide = (waits: readonly Wait[]): readonly Wait[] =>
  waits.filter(({ pod: { spec } }) => hardSpreads(spec).some(({ topologyKey }) => topologyKey !== 'kubernetes.io/hostname'));

/** Queues in which the pods may come: each is bound as far as it can be before the next, and then all of them again. */
const orders: readonly ((waits: readonly Wait[]) => readonly (readonly Wait[])[])[] = [
  alike,
  (waits) => [spreading(waits), waits],
  (waits) => [...alike(joining(waits)), spreading(waits), waits],
  (waits) => [spreadingWide(waits), spreading(waits), waits],
  (waits) => alike(waits.toReversed()).map((queue) => queue.toReversed()),
  (waits) => [...alike(joining(waits)).map((queue) => queue.toReversed()), spreading(waits), waits],
  (waits) => alike(waits).toReversed(),
];

/** Up to how many kinds of pods come in each order. */
const MOST_KINDS = 4;

const inEachOrder = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length < 2 ? [items] : items.flatMap((first, index) => inEachOrder(items.toSpliced(index, 1)).map((others) => [first, ...others]));

/** Few kinds of pods, in each order. */
const ordersOfKinds = (waits: readonly Wait[]): ReturnType<typeof inEachOrder<readonly Wait[]>> => {
  const kinds = alike(waits);
  return kinds.length > MOST_KINDS ? [] : inEachOrder(kinds);
};

/** Binds the queues to a new replay, and returns what is left of them. */
class Binding {
  readonly #bound = new Set<Wait>();
  readonly #replay: Replay;

  constructor(replay: Replay) {
    this.#replay = replay;
  }

  /** Binds what may be bound of the queue. Returns how many that were. */
  bind(queue: readonly Wait[]): number {
    const waiting = this.leftOf(queue);
    const stuck = new Set(bindAll(this.#replay, waiting));
    for (const wait of waiting) if (!stuck.has(wait)) this.#bound.add(wait);
    return waiting.length - stuck.size;
  }

  leftOf(waits: readonly Wait[]): readonly Wait[] {
    return waits.filter((wait) => !this.#bound.has(wait));
  }
}

/** What is left when the queues come one after the other, again and again until nothing moves any more. */
const leftIn = (queues: readonly (readonly Wait[])[], waits: readonly Wait[], binding: Binding): readonly Wait[] => {
  for (let moved = -1; moved !== 0;) moved = queues.reduce((sum, queue) => sum + binding.bind(queue), 0);
  return binding.leftOf(waits);
};

/** What is left when the first queue comes again after each of the others in which something moved. */
const leftInFavourOf = (queues: readonly (readonly Wait[])[], waits: readonly Wait[], binding: Binding): readonly Wait[] => {
  for (let index = 0; index < queues.length;) {
    const hasMoved = binding.bind(queues[index] ?? []) > 0;
    index = hasMoved && index > 0 ? 0 : index + 1;
  }
  return binding.leftOf(waits);
};

/** Up to how many pods come one by one. */
const MOST_SINGLES = 500;

/** The domain in which a pod counts; undefined where it counts nowhere. */
type DomainOf = (wait: Wait) => string | undefined;

/** One pod of each domain, then the next of each: domains fill evenly. Pods that count nowhere come first. */
const inRounds = (waits: readonly Wait[], domainOf: DomainOf): readonly Wait[] => {
  const counts = new Map<string, number>();
  const turns = waits.map((wait) => {
    const domain = domainOf(wait);
    const turn = domain === undefined ? -1 : (counts.get(domain) ?? 0);
    if (domain !== undefined) counts.set(domain, turn + 1);
    return { wait, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ wait }) => wait);
};

const spotOf: DomainOf = ({ spot }) => spot.name;

/** The spots, and the domains of each wide spread of the pods with those that it counts. */
const domainsToFill = (waits: readonly Wait[]): readonly DomainOf[] => {
  const found = new Map<string, DomainOf>();
  for (const { pod } of spreadingWide(waits)) {
    for (const constraint of hardSpreads(pod.spec)) {
      const { text, has } = scopeOfSpread(constraint, pod);
      found.set(`${constraint.topologyKey} ${text}`, (wait) =>
        has(wait.pod) ? wait.spot.labelSets[0]?.[constraint.topologyKey] : undefined,
      );
    }
  }
  return [spotOf, ...found.values()];
};

/** The pods to bind, in kinds that come first together. */
interface Promotion {
  readonly waits: readonly Wait[];
  readonly kinds: readonly (readonly Wait[])[];
}

/** What is left once kinds with pods that were left over come first, and again after each of the other queues. */
const leftAfterPromotion = (left: readonly Wait[], { waits, kinds }: Promotion, begin: () => Replay): readonly Wait[] => {
  const front = new Set<readonly Wait[]>();
  let least = left;
  for (let before = -1; before < front.size && least.length > 0;) {
    before = front.size;
    for (const kind of kinds.filter((each) => each.some((wait) => least.includes(wait)))) front.add(kind);
    const others = kinds.filter((kind) => !front.has(kind));
    for (const domainOf of domainsToFill(waits)) {
      const queues = waits.length > MOST_SINGLES ? others : inRounds(others.flat(), domainOf).map((wait) => [wait]);
      const now = leftInFavourOf([[...front].flat(), ...queues], waits, new Binding(begin()));
      if (now.length < least.length) least = now;
    }
  }
  return least;
};

/** Pods that were left in the best of the orders that were tried, where no order is known that binds all. */
interface Stuck {
  readonly waits: readonly Wait[];
  /** Whether every order was tried. */
  readonly isCertain: boolean;
}

/** What is left in the best of some orders; nothing where a search of all orders finds one that leaves nothing. */
const stuckIn = (waits: readonly Wait[], begin: () => Replay): Stuck => {
  let least: readonly Wait[] = waits;
  for (const order of orders) {
    const left = leftIn(order(waits), waits, new Binding(begin()));
    if (left.length < least.length) least = left;
    if (least.length === 0) return { waits: least, isCertain: true };
  }
  for (const queues of ordersOfKinds(waits)) {
    const left = leftIn(queues, waits, new Binding(begin()));
    if (left.length === 0) return { waits: left, isCertain: true };
  }
  for (const kinds of [alike(waits), waits.map((wait) => [wait])]) least = leftAfterPromotion(least, { waits, kinds }, begin);
  const answer = least.length === 0 ? 'found' : searchBindOrder(begin, waits);
  return { waits: answer === 'found' ? [] : least, isCertain: answer === 'none' };
};

/**
 * Replays the plan as kube-scheduler would bind it, to the nodes as launched, by the rules of pod affinity,
 * anti-affinity and topology spread. Violations are pods that can be bound to their places in no order, or in none that
 * was found with a bounded search.
 */
export const replayTopology = (snapshot: ClusterSnapshot, plan: Plan, gone: ReadonlySet<string>): readonly Violation[] => {
  const answered = [
    ...plan.plannedNodes.flatMap(({ pods }) => pods),
    ...[...plan.placements.values()].flat(),
    ...plan.rejections.map(({ pod }) => pod),
  ];
  const moving = new Set(answered.map(nameOf));
  const staying = snapshot.nodes.map(({ pods }) => pods.filter((pod) => !moving.has(nameOf(pod))));
  const all = [...answered, ...staying.flat()];
  if (!all.some(({ spec }) => speaksOfOthers(spec))) return [];
  const existing = existingSpots(snapshot, gone);
  const planned = plannedSpots(plan, snapshot, keysRead(all));
  const begin = (): Replay => {
    const replay = new Replay(all, [...existing, ...planned], snapshot.namespaceLabels);
    existing.forEach((spot, index) => {
      for (const pod of staying[index] ?? []) replay.bind({ pod, spot });
    });
    return replay;
  };
  const onNodes = existing.flatMap((spot) => (plan.placements.get(spot.name) ?? []).map((pod) => ({ pod, spot })));
  const onPlanned = planned.flatMap((spot, index) => (plan.plannedNodes[index]?.pods ?? []).map((pod) => ({ pod, spot })));
  const { waits, isCertain } = stuckIn([...onNodes, ...onPlanned], begin);
  return waits.map(({ pod, spot }) => ({
    rule: 'topology',
    subject: nameOf(pod),
    detail: `could be bound to ${spot.name} in no order${isCertain ? '' : ' that was found'}`,
  }));
};
