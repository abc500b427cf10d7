import { Counter } from './counter.ts';
import { GlobalMinimum } from './global-minimum.ts';
import { MatcherIndex } from './matcher-index.ts';
import type { NodeFilter } from './node-filter.ts';
import type { PodIdentity, PodMatcher } from './pod-matcher.ts';

/**
 * Pods that some constraints count, per domain of one topology key. `matched`: the pods that a term selects. `carriers`: the pods that carry a
 * required anti-affinity term, which keeps the selected ones away too. `spread`: selected pods on the nodes that a spread constraint counts.
 */
export interface Group {
  /** Identifies the group; groups are sorted by it. */
  readonly text: string;
  readonly kind: 'matched' | 'carriers' | 'spread';
  /** Number of the topology key in the `DomainTable`, or `HOST`. */
  readonly key: number;
  readonly topologyKey: string;
  readonly matcher: PodMatcher;
  /** Where pods are, or, for nodes whose labels are not settled, may be. */
  readonly counter: Counter;
  /** Of a spread over labels: where pods certainly are, and the least count of the domains eligible for the constraint. */
  readonly minimum: GlobalMinimum | undefined;
  /** The same object for groups that count the same nodes. */
  readonly filter: NodeFilter | undefined;
  /** Whether a requirement reads it, not only preferences: then every pod it counts must be in a known domain. */
  isRequired: boolean;
}

/** Groups by what they count: constraints with one meaning share one. */
export class GroupTable {
  readonly all: Group[] = [];
  readonly #known = new Map<string, Group>();
  readonly #filters = new Map<string, NodeFilter>();
  readonly #index = new MatcherIndex<Group>();

  intern(kind: Group['kind'], what: Pick<Group, 'key' | 'topologyKey' | 'matcher'> & { readonly filter?: NodeFilter }): Group {
    const { key, topologyKey, matcher, filter } = what;
    const text = `${kind} ${topologyKey} ${matcher.text} ${filter?.text ?? ''}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const hasMinimum = kind === 'spread' && key >= 0;
    const fresh: Group = {
      text,
      kind,
      key,
      topologyKey,
      matcher,
      counter: new Counter(),
      minimum: hasMinimum ? new GlobalMinimum() : undefined,
      filter: filter && this.#canonical(filter),
      isRequired: false,
    };
    this.#known.set(text, fresh);
    this.all.push(fresh);
    this.#index.add(fresh);
    return fresh;
  }

  /** The groups that select the pod, in no particular order. */
  selecting(pod: PodIdentity): Group[] {
    return this.#index.selecting(pod);
  }

  #canonical(filter: NodeFilter): NodeFilter {
    const known = this.#filters.get(filter.text);
    if (known === undefined) this.#filters.set(filter.text, filter);
    return known ?? filter;
  }
}
