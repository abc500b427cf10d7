import type { ClusterSnapshot, Plan, Pod, PodSpec } from '@karpenter/core';
import { reservedBy } from './amounts.ts';
import { PlacedPods } from './placed-pods.ts';
import { affinityTerms, antiAffinityTerms, hardSpreads, joins, spreads, staysAwayFrom } from './pod-rules.ts';
import type { Rule, Sights } from './pod-rules.ts';
import { namespaceOf, scopeOfTerm } from './pod-scope.ts';
import { existingSpots, plannedSpots } from './spot.ts';
import type { Spot } from './spot.ts';
import type { Violation } from './violation.ts';

const nameOf = (pod: Pod): string => `${namespaceOf(pod)}/${pod.metadata.name}`;

const speaksOfOthers = ({ affinity, topologySpreadConstraints }: PodSpec): boolean =>
  affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || topologySpreadConstraints !== undefined;

interface Wait {
  readonly pod: Pod;
  readonly spot: Spot;
}

/** Labels that some constraint reads of a node. */
const keysRead = (pods: readonly Pod[]): ReadonlySet<string> =>
  new Set(
    pods.flatMap(({ spec }) => [
      ...[...antiAffinityTerms(spec), ...affinityTerms(spec), ...hardSpreads(spec)].map(({ topologyKey }) => topologyKey),
      ...Object.keys(spec.nodeSelector ?? {}),
      ...(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).flatMap(
        ({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key),
      ),
    ]),
  );

/** A cluster to which pods are bound one after the other. */
class Replay {
  readonly #sights = new Map<string, PlacedPods>();
  readonly #texts = new Map<Pod, string>();
  readonly #rulesOf = new Map<Pod, readonly Rule[]>();
  readonly #rules = new Map<string, readonly Rule[]>();
  readonly #seenBy = new Map<string, readonly PlacedPods[]>();
  readonly #context: Sights;

  constructor(pods: readonly Pod[], spots: readonly Spot[], namespaces: Sights['namespaces']) {
    this.#context = {
      namespaces,
      spots,
      sight: (text, make) => {
        const found = this.#sights.get(text) ?? make();
        this.#sights.set(text, found);
        return found;
      },
    };
    for (const pod of pods) this.#ownRules(pod);
  }

  isAllowed({ pod, spot }: Wait): boolean {
    return this.#ownRules(pod).every((rule) => rule(spot)) && this.#keptOut(pod).every((rule) => rule(spot));
  }

  bind({ pod, spot }: Wait): void {
    const sights = this.#seenBy.get(this.#text(pod)) ?? [...this.#sights.values()].filter(({ has }) => has(pod));
    this.#seenBy.set(this.#text(pod), sights);
    for (const sight of sights) sight.add(spot);
    for (const term of antiAffinityTerms(pod.spec)) this.#carriersOf(pod, term).add(spot);
  }

  #text(pod: Pod): string {
    const known = this.#texts.get(pod);
    if (known !== undefined) return known;
    const fresh = JSON.stringify([namespaceOf(pod), pod.metadata.labels, pod.metadata.deletionTimestamp]);
    this.#texts.set(pod, fresh);
    return fresh;
  }

  #carriersOf(pod: Pod, term: ReturnType<typeof antiAffinityTerms>[number]): PlacedPods {
    const { text } = scopeOfTerm(term, pod, this.#context.namespaces);
    return this.#context.sight(`carriers ${term.topologyKey} ${text}`, () => new PlacedPods({ key: term.topologyKey, has: () => false }));
  }

  #ownRules(pod: Pod): readonly Rule[] {
    const known = this.#rulesOf.get(pod) ?? this.#readRules(pod);
    this.#rulesOf.set(pod, known);
    return known;
  }

  #readRules(pod: Pod): readonly Rule[] {
    const key = JSON.stringify([
      this.#text(pod),
      pod.spec.affinity,
      pod.spec.topologySpreadConstraints,
      pod.spec.nodeSelector,
      pod.spec.tolerations,
    ]);
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const { sight, namespaces } = this.#context;
    const apart = antiAffinityTerms(pod.spec).map((term) => {
      const { text, has } = scopeOfTerm(term, pod, namespaces);
      const { topologyKey } = term;
      this.#kept.set(`${topologyKey} ${text}`, { has, carriers: this.#carriersOf(pod, term) });
      return staysAwayFrom(sight(`apart ${topologyKey} ${text}`, () => new PlacedPods({ key: topologyKey, has })));
    });
    const together = affinityTerms(pod.spec).length === 0 ? [] : [joins(pod, this.#context)];
    const fresh = [...apart, ...together, ...hardSpreads(pod.spec).map((constraint) => spreads(pod, constraint, this.#context))];
    this.#rules.set(key, fresh);
    return fresh;
  }

  readonly #kept = new Map<string, { readonly has: (pod: Pod) => boolean; readonly carriers: PlacedPods }>();
  readonly #keptOutOf = new Map<string, readonly Rule[]>();

  /** Required anti-affinity binds both sides: pods that are there keep this one away. */
  #keptOut(pod: Pod): readonly Rule[] {
    const known = this.#keptOutOf.get(this.#text(pod));
    if (known !== undefined) return known;
    const fresh = [...this.#kept.values()].filter(({ has }) => has(pod)).map(({ carriers }) => staysAwayFrom(carriers));
    this.#keptOutOf.set(this.#text(pod), fresh);
    return fresh;
  }
}

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

/** Pods that nobody can tell apart, in queues: the largest first (cpu, then memory), as Karpenter plans, and of one size the oldest first. */
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
    .map((queue) => ({ queue, size: queue[0] === undefined ? new Map<string, number>() : reservedBy(queue[0].pod.spec) }))
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

/** What is left in the best of the orders. */
const leftOver = (waits: readonly Wait[], begin: () => Replay): readonly Wait[] => {
  let least: readonly Wait[] = waits;
  for (const order of orders) {
    const replay = begin();
    const bound = new Set<Wait>();
    const queues = order(waits);
    // The rest comes in the same order until nothing moves any more.
    for (let before = -1; before !== bound.size;) {
      before = bound.size;
      for (const queue of queues) {
        const waiting = queue.filter((wait) => !bound.has(wait));
        const stuck = new Set(bindAll(replay, waiting));
        for (const wait of waiting) if (!stuck.has(wait)) bound.add(wait);
      }
    }
    const left = waits.filter((wait) => !bound.has(wait));
    if (left.length < least.length) least = left;
    if (least.length === 0) break;
  }
  return least;
};

/**
 * Replays the plan as kube-scheduler would bind it, to the nodes as launched, by the rules of pod affinity, anti-affinity and topology
 * spread. A pod that could be bound to its place in no order that was tried is a violation.
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
  return leftOver([...onNodes, ...onPlanned], begin).map(({ pod, spot }) => ({
    rule: 'topology',
    subject: nameOf(pod),
    detail: `could be bound to ${spot.name} in no order`,
  }));
};
