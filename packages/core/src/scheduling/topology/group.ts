import { Counter } from './counter.ts';
import { FloorCounter } from './global-minimum.ts';
import type { NodeFilter } from './node-filter.ts';
import type { PodMatcher } from './pod-matcher.ts';

/**
 * Pods that some constraints count, domain by domain of one key. `matched`: the pods that are meant. `carriers`: the pods that keep those
 * away (required anti-affinity binds both sides). `spread`: the pods that are meant, on nodes that a constraint counts.
 */
export interface Group {
  /** Unique: groups are told apart, and put in order, by it. */
  readonly text: string;
  readonly kind: 'matched' | 'carriers' | 'spread';
  /** Number of the topology key in the `DomainTable`, or `HOST`. */
  readonly key: number;
  readonly topologyKey: string;
  readonly matcher: PodMatcher;
  /** Where pods are, or, for nodes whose labels are not settled, may be. */
  readonly counter: Counter;
  /** Of a spread over labels: where pods certainly are, over the domains that are open to the constraint. */
  readonly floor: FloorCounter | undefined;
  readonly filter: NodeFilter | undefined;
  /** Whether a requirement reads it, not only wishes: then every pod it counts has to be in a known domain. */
  isRequired: boolean;
}

/** Groups by what they count: constraints with one meaning share one. */
export class GroupTable {
  readonly all: Group[] = [];
  readonly #known = new Map<string, Group>();

  intern(kind: Group['kind'], what: Pick<Group, 'key' | 'topologyKey' | 'matcher'> & { readonly filter?: NodeFilter }): Group {
    const { key, topologyKey, matcher, filter } = what;
    const text = `${kind} ${topologyKey} ${matcher.text} ${filter?.text ?? ''}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const hasFloor = kind === 'spread' && key >= 0;
    const fresh: Group = {
      text,
      kind,
      key,
      topologyKey,
      matcher,
      counter: new Counter(),
      floor: hasFloor ? new FloorCounter() : undefined,
      filter,
      isRequired: false,
    };
    this.#known.set(text, fresh);
    this.all.push(fresh);
    return fresh;
  }
}
