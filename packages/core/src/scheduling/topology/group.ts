import { CountedTally } from './ledger.ts';
import type { Tally } from './ledger.ts';
import { compareText } from '../../base/index.ts';
import { MatcherIndex } from './matcher-index.ts';
import type { NodeFilter } from './node-filter.ts';
import type { PodIdentity, PodMatcher } from './pod-matcher.ts';

/**
 * A tally that knows the least count of its eligible domains: what Kubernetes calls the global minimum of a spread. It
 * keeps counts of counts, so that each change costs O(1).
 */
export class GlobalMinimum implements Tally {
  /** How many domains are eligible. */
  eligibleDomains = 0;
  readonly #counts = new CountedTally();
  /** Domain → how many reasons make it eligible: templates that may launch there, nodes that are there. */
  readonly #reasons = new CountedTally();
  /** Count → how many eligible domains have it. */
  readonly #domainsWith = new CountedTally();
  #least = 0;

  /** The least count of any eligible domain; 0 when there is none. */
  get least(): number {
    if (this.eligibleDomains === 0) return 0;
    while (this.#domainsWith.at(this.#least) === 0) this.#least++;
    return this.#least;
  }

  at(domain: number): number {
    return this.#counts.at(domain);
  }

  add(domain: number, delta: number): void {
    const before = this.#counts.at(domain);
    this.#counts.add(domain, delta);
    if (this.#reasons.at(domain) === 0) return;
    this.#domainsWith.add(before, -1);
    this.#enter(before + delta);
  }

  /** Adds reasons for the domain to be eligible, or takes them away. */
  addReason(domain: number, delta: number): void {
    const before = this.#reasons.at(domain);
    this.#reasons.add(domain, delta);
    const isEligible = before + delta > 0;
    if (before > 0 === isEligible) return;
    this.eligibleDomains += isEligible ? 1 : -1;
    if (isEligible) this.#enter(this.#counts.at(domain));
    else this.#domainsWith.add(this.#counts.at(domain), -1);
  }

  #enter(count: number): void {
    this.#domainsWith.add(count, 1);
    if (count < this.#least) this.#least = count;
  }
}

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
