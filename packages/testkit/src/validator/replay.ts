import type { Pod } from '@karpenter/core';
import { getOrMake, namespaceOf } from '@karpenter/core/internal';
import { PlacedPods } from './placed-pods.ts';
import { affinityTerms, antiAffinityTerms, hardSpreads, joins, spreads, staysAwayFrom } from './pod-rules.ts';
import type { Rule, Sights } from './pod-rules.ts';
import { scopeOfTerm } from './pod-scope.ts';
import type { Spot } from './spot.ts';

/** A pod, and where it is to be bound. */
export interface Wait {
  readonly pod: Pod;
  readonly spot: Spot;
}

/** A cluster to which pods are bound one after the other. */
export class Replay {
  readonly #sights = new Map<string, PlacedPods>();
  readonly #texts = new Map<Pod, string>();
  readonly #rulesOf = new Map<Pod, readonly Rule[]>();
  readonly #rules = new Map<string, readonly Rule[]>();
  readonly #seenBy = new Map<string, readonly PlacedPods[]>();
  readonly #sightsByPod = new Map<Pod, readonly PlacedPods[]>();
  readonly #context: Sights;

  constructor(pods: readonly Pod[], spots: readonly Spot[], namespaces: Sights['namespaces']) {
    this.#context = {
      namespaces,
      spots,
      sight: (text, make) => getOrMake(this.#sights, text, make),
    };
    for (const pod of pods) this.#ownRules(pod);
  }

  isAllowed({ pod, spot }: Wait): boolean {
    return this.#ownRules(pod).every((rule) => rule(spot)) && this.#keptOut(pod).every((rule) => rule(spot));
  }

  bind({ pod, spot }: Wait): void {
    for (const sight of this.#sightsOf(pod)) sight.add(spot);
  }

  /** As if the pod had never been bound. */
  unbind({ pod, spot }: Wait): void {
    for (const sight of this.#sightsOf(pod)) sight.remove(spot);
  }

  /**
   * By how many pods its domain exceeds the emptiest one in the spread that counts the pod and where that is most;
   * undefined where none does.
   */
  excessAround({ pod, spot }: Wait): number | undefined {
    let most: number | undefined;
    for (const sight of this.#sightsOf(pod)) {
      const excess = sight.excessOn(spot);
      if (excess !== undefined && (most === undefined || excess > most)) most = excess;
    }
    return most;
  }

  /** What sees the pod: constraints that mean it, and those that it carries to keep others away. */
  #sightsOf(pod: Pod): readonly PlacedPods[] {
    return getOrMake(this.#sightsByPod, pod, () => {
      const meaning = getOrMake(this.#seenBy, this.#text(pod), () => [...this.#sights.values()].filter(({ has }) => has(pod)));
      return [...meaning, ...antiAffinityTerms(pod.spec).map((term) => this.#carriersOf(pod, term))];
    });
  }

  #text(pod: Pod): string {
    return getOrMake(this.#texts, pod, () => JSON.stringify([namespaceOf(pod), pod.metadata.labels, pod.metadata.deletionTimestamp]));
  }

  #carriersOf(pod: Pod, term: ReturnType<typeof antiAffinityTerms>[number]): PlacedPods {
    const { text } = scopeOfTerm(term, pod, this.#context.namespaces);
    return this.#context.sight(`carriers ${term.topologyKey} ${text}`, () => new PlacedPods({ key: term.topologyKey, has: () => false }));
  }

  #ownRules(pod: Pod): readonly Rule[] {
    return getOrMake(this.#rulesOf, pod, () => this.#readRules(pod));
  }

  #readRules(pod: Pod): readonly Rule[] {
    const key = JSON.stringify([
      this.#text(pod),
      pod.spec.affinity,
      pod.spec.topologySpreadConstraints,
      pod.spec.nodeSelector,
      pod.spec.tolerations,
    ]);
    return getOrMake(this.#rules, key, () => this.#makeRules(pod));
  }

  #makeRules(pod: Pod): readonly Rule[] {
    const { sight, namespaces } = this.#context;
    const apart = antiAffinityTerms(pod.spec).map((term) => {
      const { text, has } = scopeOfTerm(term, pod, namespaces);
      const { topologyKey } = term;
      this.#kept.set(`${topologyKey} ${text}`, { has, carriers: this.#carriersOf(pod, term) });
      return staysAwayFrom(sight(`apart ${topologyKey} ${text}`, () => new PlacedPods({ key: topologyKey, has })));
    });
    const together = affinityTerms(pod.spec).length === 0 ? [] : [joins(pod, this.#context)];
    return [...apart, ...together, ...hardSpreads(pod.spec).map((constraint) => spreads(pod, constraint, this.#context))];
  }

  readonly #kept = new Map<string, { readonly has: (pod: Pod) => boolean; readonly carriers: PlacedPods }>();
  readonly #keptOutOf = new Map<string, readonly Rule[]>();

  /** Required anti-affinity binds both sides: pods that are there keep this one away. */
  #keptOut(pod: Pod): readonly Rule[] {
    return getOrMake(this.#keptOutOf, this.#text(pod), () =>
      [...this.#kept.values()].filter(({ has }) => has(pod)).map(({ carriers }) => staysAwayFrom(carriers)),
    );
  }
}
