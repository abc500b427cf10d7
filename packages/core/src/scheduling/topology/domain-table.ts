import { childOf, compareText, getOrMake, haveCommonBit, idAt, itemAt, memoByKey, newTrie, isNone } from '../../base/index.ts';
import type { BitSet, TrieNode } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { labelOf } from '../../kube/index.ts';
import type { Labels, Pod } from '../../kube/index.ts';
import { admits, and, absentLabel } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import { firstValueOf, onlyValueOf } from '../nodes/node-model.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';
import { hasTypeOf, Narrowing, remainderOf, narrowedState } from '../nodes/node-state.ts';
import type { Remainder } from '../nodes/node-state.ts';

/** The number of the key `kubernetes.io/hostname`: each node is a domain of its own there. */
export const HOST = -1;
/** The place has no such label, and so no domain. */
export const ABSENT = -1;
/** The node is new, and may still come up in one of several domains. */
export const UNSETTLED = -2;

const single = (key: string, value: string): Requirement => ({ key, values: { kind: 'in', values: new Set([value]) }, mayBeAbsent: false });

/** The values that some owners state which are left, and that the requirement admits. */
function* statedBy(
  stating: ReadonlyMap<string, BitSet>,
  isLeft: (owners: BitSet) => boolean,
  wanted: Requirement | undefined,
): Iterable<string> {
  const isShort = wanted?.values.kind === 'in' && wanted.values.values.size < stating.size;
  for (const value of isShort ? wanted.values.values : stating.keys()) {
    const owners = stating.get(value);
    if (owners !== undefined && (wanted === undefined || admits(wanted, value)) && isLeft(owners)) yield value;
  }
}

/** A state, and what is left of it where other keys are settled. */
export interface Settling {
  readonly state: NodeState;
  readonly left: Remainder;
}

/**
 * The values of the label that a node of this state may come up with; none when it will not have the label. If the
 * label may have any value of a kind, they are the one that the claim will get, and those that pods request (`asked`).
 */
function* valuesOf({ state, left }: Settling, key: string, asked: ReadonlySet<string>): Iterable<string> {
  const { catalog, wellKnown } = state.template;
  const wanted = state.requirements.get(key);
  if (catalog.offeringKeys.has(key)) {
    yield* statedBy(catalog.offeringsListing(key), (owners) => haveCommonBit(owners, left.offerings), wanted);
    return;
  }
  if (wanted === undefined && !wellKnown.has(key)) return;
  let isStated = false;
  for (const value of statedBy(catalog.typesListing(key), (owners) => hasTypeOf(left, owners), wanted)) {
    isStated = true;
    yield value;
  }
  if (isStated || wanted === undefined || wanted.mayBeAbsent) return;
  if (wanted.values.kind === 'in') {
    yield* wanted.values.values;
    return;
  }
  const first = firstValueOf(wanted.values);
  if (first !== undefined) yield* new Set([first, ...[...asked].filter((value) => admits(wanted, value))]);
}

const NO_VALUES: ReadonlySet<string> = new Set();

/** Each is a state of each pool: a pod that asks for thousands of values must not cost the others their plan. */
const MOST_ASKED = 256;

/**
 * Which of several domains a pod is led to first: the one with the fewest pods that its spreads count, or the
 * cheapest.
 */
export type DomainOrder = 'emptiest' | 'cheapest';

/** One way to settle a key. */
export interface Settlement {
  readonly domain: number;
  /** What it requires of the label; undefined: no more than the state does. */
  readonly requirement: Requirement | undefined;
  readonly left: Remainder;
}

/** A key whose domains nothing lists for nodes of the state. */
export interface UnlistedDomains {
  readonly state: NodeState;
  readonly key: number;
}

/** The topology keys of one snapshot, the host name aside, and their domains, as small numbers. */
export class DomainTable {
  readonly keys: readonly string[];
  /** Set for each solve. */
  order: DomainOrder = 'emptiest';
  readonly #numbers: readonly Map<string, number>[];
  readonly #domains: readonly ((state: NodeState) => number)[];
  /** Key → the initial state of a template → the states that settle the key. */
  readonly #settled: readonly Map<NodeState, readonly NodeState[]>[];
  /** Label → value → the requirement, whose text is remembered. */
  readonly #singles: readonly ((value: string) => Requirement)[];
  /** Label → values that pods ask for, of labels whose values nothing lists. */
  readonly #asked = new Map<string, Set<string>>();

  constructor(topologyKeys: Iterable<string>) {
    this.keys = [...new Set(topologyKeys)].filter((key) => key !== labels.hostname).sort();
    this.#numbers = this.keys.map(() => new Map());
    this.#domains = this.keys.map((_, key) => memoByKey((state) => this.#findDomain(state, key)));
    this.#settled = this.keys.map(() => new Map());
    this.#singles = this.keys.map((label) => memoByKey((value) => single(label, value)));
  }

  /** `HOST` for the host name. */
  keyNumber(topologyKey: string): number {
    return topologyKey === labels.hostname ? HOST : this.keys.indexOf(topologyKey);
  }

  /** The label of a key that is not `HOST`. */
  labelOfKey(key: number): string {
    return itemAt(this.keys, key);
  }

  domainOfNode({ labels: own }: NodeView, key: number): number {
    const value = labelOf(own, this.labelOfKey(key));
    return value === undefined ? ABSENT : this.#numberOf(key, value);
  }

  /** The domain in which a new node of this state will certainly be; `ABSENT`, or `UNSETTLED` while there is a choice. */
  domainOfState(state: NodeState, key: number): number {
    return itemAt(this.#domains, key)(state);
  }

  /** The values of the key's label that a node of this state may come up with. */
  valuesLeft(state: NodeState, key: number): readonly string[] {
    const left = remainderOf(state);
    const only = state.requirements.get(this.labelOfKey(key));
    const value = only && onlyValueOf(only);
    if (value !== undefined) return [value];
    return left === undefined
      ? []
      : this.#valued({ state, left }, key).flatMap(({ requirement }) => [...(requirement?.values.values ?? [])]);
  }

  /** The states that settle the key, the one with the cheapest machine first; none when the node will not have the label. */
  *settling(state: NodeState, key: number): Iterable<NodeState> {
    const known = itemAt(this.#settled, key).get(state);
    if (known !== undefined) {
      yield* known;
      return;
    }
    const made: NodeState[] = [];
    const left = remainderOf(state);
    for (const { requirement } of left === undefined ? [] : this.#valued({ state, left }, key)) {
      const next = requirement === undefined ? state : narrowedState(state, [requirement]);
      if (next === undefined) continue;
      made.push(next);
      yield next;
    }
    itemAt(this.#settled, key).set(state, made);
  }

  /**
   * How the key may be settled, the cheapest machine first; perhaps as missing. A pod placed because the label is missing
   * must not see it appear with a later pod that requires it. Empty when the node must have the label, and cannot.
   */
  settlements(settling: Settling, key: number): readonly Settlement[] {
    const valued = this.#valued(settling, key);
    return valued.length === 0 ? this.#unlabelled(settling, key) : valued;
  }

  /**
   * Whether nodes of this state may come up in domains that nothing lists. The label may have any value of a kind,
   * such as each number above ten.
   */
  isUnlisted({ template: { catalog }, requirements, types }: NodeState, key: number): boolean {
    const label = this.labelOfKey(key);
    const wanted = requirements.get(label);
    if (wanted === undefined || wanted.values.kind === 'in' || wanted.mayBeAbsent || catalog.offeringKeys.has(label)) return false;
    return isNone(statedBy(catalog.typesListing(label), (owners) => haveCommonBit(owners, types), wanted));
  }

  /**
   * Makes domains known that nothing lists: those of an unlisted key to which a pod with these requirements brings nodes
   * of this state. All of them, before any domain is requested.
   */
  ask({ state, key }: UnlistedDomains, requirements: Requirements): void {
    const label = this.labelOfKey(key);
    const [own, wanted] = [state.requirements.get(label), requirements.get(label)];
    if (own === undefined || wanted === undefined) return;
    const both = and(own, wanted).values;
    const first = firstValueOf(both);
    const values = both.kind === 'in' ? both.values : first === undefined ? [] : [first];
    const known = this.#asked.get(label) ?? new Set();
    for (const value of values) if (known.size < MOST_ASKED) known.add(value);
    this.#asked.set(label, known);
  }

  #findDomain(state: NodeState, key: number): number {
    const label = this.labelOfKey(key);
    const own = state.requirements.get(label);
    const value = own && onlyValueOf(own);
    if (value !== undefined) return this.#numberOf(key, value);
    const left = remainderOf(state);
    if (left === undefined) return ABSENT;
    for (const each of valuesOf({ state, left }, label, this.#askedFor(label)))
      if (this.#narrowing(state.template).narrowed(left, this.#singleOf(key, each)) !== undefined) return UNSETTLED;
    return ABSENT;
  }

  #askedFor(label: string): ReadonlySet<string> {
    return this.#asked.get(label) ?? NO_VALUES;
  }

  readonly #narrowing = memoByKey((template: NodeTemplate) => new Narrowing(template));

  #singleOf(key: number, value: string): Requirement {
    return itemAt(this.#singles, key)(value);
  }

  #valued({ state, left }: Settling, key: number): readonly Settlement[] {
    const label = this.labelOfKey(key);
    const own = state.requirements.get(label);
    const only = own && onlyValueOf(own);
    if (only !== undefined) return [{ domain: this.#numberOf(key, only), requirement: undefined, left }];
    const narrowing = this.#narrowing(state.template);
    const found: (Settlement & { readonly value: string })[] = [];
    for (const value of valuesOf({ state, left }, label, this.#askedFor(label))) {
      const requirement = this.#singleOf(key, value);
      const then = narrowing.narrowed(left, requirement);
      if (then !== undefined) found.push({ value, domain: this.#numberOf(key, value), requirement, left: then });
    }
    return found.sort((a, b) => a.left.cheapest - b.left.cheapest || compareText(a.value, b.value));
  }

  /** A pod cannot bring in a label that the pool does not define, unless it is well known. */
  #unlabelled({ state: { requirements, template }, left }: Settling, key: number): readonly Settlement[] {
    const label = this.labelOfKey(key);
    const own = requirements.get(label);
    if (own === undefined && !template.wellKnown.has(label)) return [{ domain: ABSENT, requirement: undefined, left }];
    const requirement = absentLabel(label);
    const then = this.#narrowing(template).narrowed(left, own === undefined ? requirement : and(own, requirement));
    return then === undefined ? [] : [{ domain: ABSENT, requirement, left: then }];
  }

  #numberOf(key: number, value: string): number {
    const numbers = itemAt(this.#numbers, key);
    return getOrMake(numbers, value, () => numbers.size);
  }
}

/** Domain number → a count. A domain that was never heard of counts zero, and so do `ABSENT` and `UNSETTLED`. */
export interface Tally {
  readonly at: (domain: number) => number;
  readonly add: (domain: number, delta: number) => void;
}

const LEAST_LENGTH = 8;
const NO_COUNTS = new Int32Array(0);

/** No domain has this number. */
const NOWHERE = -3;

/**
 * A tally that also knows its sum. Most have one domain, whose count is the sum: an array for each took a quarter
 * of the memory of 50,000 terms.
 */
export class CountedTally implements Tally {
  total = 0;
  /** The only domain that was ever counted. */
  #only = NOWHERE;
  /** Empty until there are two. */
  #counts = NO_COUNTS;

  at(domain: number): number {
    if (domain === this.#only) return this.total;
    return domain >= 0 && domain < this.#counts.length ? idAt(this.#counts, domain) : 0;
  }

  add(domain: number, delta: number): void {
    if (this.#counts.length === 0) {
      if (this.#only === NOWHERE) this.#only = domain;
      if (this.#only !== domain) this.#separate();
    }
    this.total += delta;
    if (this.#only === domain) return;
    if (domain >= this.#counts.length) this.#grow(Math.max(domain + 1, this.#counts.length * 2));
    this.#counts[domain] = idAt(this.#counts, domain) + delta;
  }

  #separate(): void {
    this.#grow(Math.max(LEAST_LENGTH, this.#only + 1));
    this.#counts[this.#only] = this.total;
    this.#only = NOWHERE;
  }

  #grow(length: number): void {
    const larger = new Int32Array(length);
    larger.set(this.#counts);
    this.#counts = larger;
  }
}

/** What can be added to, and so can be undone. */
type Undoable = Pick<Tally, 'add'>;

/** Changes of tallies, kept so that all of them can be undone. */
export class Ledger {
  readonly #tallies: Undoable[] = [];
  readonly #domains: number[] = [];
  readonly #deltas: number[] = [];

  add(tally: Undoable, domain: number, delta: number): void {
    tally.add(domain, delta);
    this.#tallies.push(tally);
    this.#domains.push(domain);
    this.#deltas.push(delta);
  }

  /** Costs what was done. */
  undo(): void {
    for (let i = this.#tallies.length - 1; i >= 0; i--) itemAt(this.#tallies, i).add(itemAt(this.#domains, i), -itemAt(this.#deltas, i));
    this.forget();
  }

  /** What was done so far stays. */
  forget(): void {
    this.#tallies.length = 0;
    this.#domains.length = 0;
    this.#deltas.length = 0;
  }
}

/**
 * What selectors see of pods, as texts. Equal pods get the very same string, so that it is cheap as a key, and for most
 * pods none has to be built. Costs the labels of the pod, however many labels selectors read.
 */
export class Projections {
  readonly #labelKeys: ReadonlySet<string>;
  readonly #root: TrieNode<string> = newTrie();

  /** `labelKeys`: the labels that selectors read. */
  constructor(labelKeys: readonly string[]) {
    this.#labelKeys = new Set(labelKeys);
  }

  /** `unboundClaims`: those that the pod shares with others. */
  of({ metadata: { namespace = 'default', labels = {} } }: Pod, unboundClaims: readonly string[]): string {
    const keys = this.#keysOf(labels);
    let at = childOf(childOf(this.#root, namespace), keys.length);
    for (const key of keys) at = childOf(childOf(at, key), labels[key]);
    for (const claim of unboundClaims) at = childOf(at, claim);
    return (at.value ??= [
      namespace,
      ...keys.map((key) => `${key}=${labelOf(labels, key) ?? ''}`),
      ...unboundClaims.map((claim) => `uses ${claim}`),
    ].join('\n'));
  }

  /** Those of the labels that selectors read, in order. */
  #keysOf(labels: Labels): readonly string[] {
    const keys: string[] = [];
    for (const key of Object.keys(labels)) if (this.#labelKeys.has(key)) keys.push(key);
    return keys.length < 2 ? keys : keys.sort();
  }
}
