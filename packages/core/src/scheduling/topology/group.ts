import { compareText } from '../../base/index.ts';
import { CountedTally } from './counted-tally.ts';
import { GlobalMinimum } from './global-minimum.ts';
import { MatcherIndex } from './matcher-index.ts';
import type { NodeFilter } from './node-filter.ts';
import type { PodIdentity, PodMatcher } from './pod-matcher.ts';

/**
 * Pods that some constraints count, per domain of one topology key. `matched`: the pods that a term selects.
 * `carriers`: the pods that carry a required anti-affinity term, which keeps the selected ones away too. `spread`:
 * selected pods on the nodes that a spread constraint counts.
 */
export interface Group {
  readonly kind: 'matched' | 'carriers' | 'spread';
  /** Number of the topology key in the `DomainTable`, or `HOST`. */
  readonly key: number;
  readonly topologyKey: string;
  readonly matcher: PodMatcher;
  /** Where pods are, or, for nodes whose labels are not settled, may be. */
  readonly counter: CountedTally;
  /** Of a spread over labels: where pods certainly are, and the least count of the domains eligible for the constraint. */
  readonly minimum: GlobalMinimum | undefined;
  /** The same object for groups that count the same nodes. */
  readonly filter: NodeFilter | undefined;
  /** Whether a requirement reads it, not only preferences: then every pod it counts must be in a known domain. */
  isRequired: boolean;
}

/** Orders groups. No two of a table are equal. */
export const compareGroups = (a: Group, b: Group): number =>
  compareText(a.kind, b.kind) ||
  compareText(a.topologyKey, b.topologyKey) ||
  compareText(a.matcher.text, b.matcher.text) ||
  compareText(a.filter?.text ?? '', b.filter?.text ?? '');

/** Groups by what they count: constraints with one meaning share one. */
export class GroupTable {
  readonly all: Group[] = [];
  /** By the text of the matcher, which may be long, then by the rest. */
  readonly #known = new Map<string, Map<string, Group>>();
  readonly #filters = new Map<string, NodeFilter>();
  readonly #index = new MatcherIndex<Group>();

  intern(kind: Group['kind'], what: Pick<Group, 'key' | 'topologyKey' | 'matcher'> & { readonly filter?: NodeFilter }): Group {
    const { key, topologyKey, matcher, filter } = what;
    const ofMatcher = this.#groupsOf(matcher);
    const rest = `${kind} ${topologyKey} ${filter?.text ?? ''}`;
    const known = ofMatcher.get(rest);
    if (known !== undefined) return known;
    const hasMinimum = kind === 'spread' && key >= 0;
    const fresh: Group = {
      kind,
      key,
      topologyKey,
      matcher,
      counter: new CountedTally(),
      minimum: hasMinimum ? new GlobalMinimum() : undefined,
      filter: filter && this.#canonical(filter),
      isRequired: false,
    };
    ofMatcher.set(rest, fresh);
    this.all.push(fresh);
    this.#index.add(fresh);
    return fresh;
  }

  /** The groups that select the pod, in no particular order. */
  selecting(pod: PodIdentity): Group[] {
    return this.#index.selecting(pod);
  }

  #groupsOf({ text }: PodMatcher): Map<string, Group> {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const fresh = new Map<string, Group>();
    this.#known.set(text, fresh);
    return fresh;
  }

  #canonical(filter: NodeFilter): NodeFilter {
    const known = this.#filters.get(filter.text);
    if (known === undefined) this.#filters.set(filter.text, filter);
    return known ?? filter;
  }
}
