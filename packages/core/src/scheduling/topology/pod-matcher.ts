import { addToGroup, compareText, getOrMake, itemAt, memoByText } from '../../base/index.ts';
import { labelOf, matchesLabelSelector } from '../../kube/index.ts';
import type { LabelSelector, LabelSelectorRequirement, Labels, Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../kube/index.ts';

/** What selectors see of a pod. */
export interface PodIdentity {
  readonly namespace: string;
  readonly labels: Labels;
  /** Claims, as `namespace/name`, whose volume will be made where the first pod that uses them goes; absent: none. */
  readonly unboundClaims?: readonly string[];
}

/** The pod that carries a term, and the namespaces there are. */
export interface TermOwner extends PodIdentity {
  readonly namespaceLabels: ReadonlyMap<string, Labels>;
}

/** Which pods a term selects. Matchers with the same `text` select the same pods. */
export interface PodMatcher {
  readonly text: string;
  readonly matches: (pod: PodIdentity) => boolean;
  /** Sets of index keys: every selected pod has a key of each set (see `indexKeysOf`). */
  readonly indexKeys: readonly (readonly string[])[];
  /** Whether it selects pods because they will share a volume. */
  readonly isOfVolume?: boolean;
}

const namespaceKey = (namespace: string): string => `namespace ${namespace}`;
const labelKey = (key: string): string => `label ${key}`;
const valueKey = (key: string, value: string): string => `label ${key}=${value}`;
const claimKey = (claim: string): string => `claim ${claim}`;

/** By what a pod is found among the terms that may select it: its namespace, labels and claims. */
const indexKeysOf = ({ namespace, labels, unboundClaims = [] }: PodIdentity): readonly string[] => [
  namespaceKey(namespace),
  ...Object.entries(labels).flatMap(([key, value]) => [labelKey(key), valueKey(key, value)]),
  ...unboundClaims.map(claimKey),
];

/** What the selector requires pods to have; `NotIn` and `DoesNotExist` require nothing. */
const selectorKeys = (selector: LabelSelector | undefined): readonly (readonly string[])[] => {
  if (selector === undefined) return [[]];
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return [
    ...Object.entries(matchLabels).map(([key, value]) => [valueKey(key, value)]),
    ...matchExpressions.flatMap(({ key, operator, values = [] }) => {
      if (operator === 'In') return [values.map((value) => valueKey(key, value))];
      return operator === 'Exists' ? [[labelKey(key)]] : [];
    }),
  ];
};

/** Keys whose value the selected pods must share with the owner, or must not. Keys that the owner lacks are ignored. */
interface LabelKeys {
  readonly match: readonly string[];
  readonly mismatch: readonly string[];
}

/** Absent stays absent: it picks nothing, whatever keys are named. Nothing is changed in place. */
const withLabelKeys = (selector: LabelSelector | undefined, labels: Labels, keys: LabelKeys): LabelSelector | undefined => {
  if (selector === undefined) return undefined;
  const expressions = (operator: 'In' | 'NotIn', names: readonly string[]): readonly LabelSelectorRequirement[] =>
    names.flatMap((key) => {
      const value = labelOf(labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const added = [...expressions('In', keys.match), ...expressions('NotIn', keys.mismatch)];
  if (added.length === 0) return selector;
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...added] };
};

const selectorText = (selector: LabelSelector | undefined): string =>
  selector === undefined
    ? 'nothing'
    : JSON.stringify([
        Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => compareText(a, b)),
        (selector.matchExpressions ?? [])
          .map(({ key, operator, values = [] }) => JSON.stringify([key, operator, [...values].sort()]))
          .sort(),
      ]);

/** The namespaces whose pods a term selects. */
interface Scope {
  readonly text: string;
  readonly indexKeys: PodMatcher['indexKeys'];
  readonly includes: (namespace: string) => boolean;
}

/** A term that lists more namespaces is found by its labels, or compared with every pod: each key of an index takes memory. */
const MOST_INDEXED_NAMESPACES = 64;

/** Whether the sorted names have this one. A set of thousands of names takes many times the memory of the list. */
const hasName = (sorted: readonly string[], name: string): boolean => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(sorted, middle) < name) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === name;
};

const listed = (names: readonly string[]): Scope => {
  const sorted = [...names].sort().filter((name, index, all) => name !== all[index - 1]);
  return {
    text: sorted.join(','),
    indexKeys: sorted.length > MOST_INDEXED_NAMESPACES ? [] : [sorted.map(namespaceKey)],
    includes: (namespace) => hasName(sorted, namespace),
  };
};

/** The same for all terms about the pods of one namespace: there may be thousands of them. */
const ofNamespace = memoByText((name) => listed([name]), 1024);

/** Asks the selector once about each namespace that a pod is in: there may be thousands of both. */
const selected = (selector: LabelSelector, names: readonly string[], { namespaceLabels }: TermOwner): Scope => {
  const asked = new Map<string, boolean>(names.map((name) => [name, true]));
  const isSelected = (namespace: string): boolean => {
    const labels = namespaceLabels.get(namespace);
    return labels !== undefined && matchesLabelSelector(selector, labels);
  };
  return {
    text: `${listed(names).text} where ${selectorText(selector)}`,
    indexKeys: [],
    includes: (namespace) => getOrMake(asked, namespace, isSelected),
  };
};

/** The owner's own namespace where neither a list nor a selector is given; else those listed and those selected. */
const scopeOf = ({ namespaces = [], namespaceSelector }: PodAffinityTerm, owner: TermOwner): Scope => {
  if (namespaceSelector === undefined) return namespaces.length === 0 ? ofNamespace(owner.namespace) : listed(namespaces);
  const { matchLabels = {}, matchExpressions = [] } = namespaceSelector;
  const isAll = Object.keys(matchLabels).length + matchExpressions.length === 0;
  return isAll ? { text: '*', indexKeys: [], includes: () => true } : selected(namespaceSelector, namespaces, owner);
};

/** The pods that a term of pod affinity or anti-affinity selects. */
export const matcherOfTerm = (term: PodAffinityTerm, owner: TermOwner): PodMatcher => {
  const { labelSelector, matchLabelKeys: match = [], mismatchLabelKeys: mismatch = [] } = term;
  const selector = withLabelKeys(labelSelector, owner.labels, { match, mismatch });
  const scope = scopeOf(term, owner);
  const keys = selectorKeys(selector);
  return {
    text: `${scope.text} ${selectorText(selector)}`,
    // Terms without keys of their own share the list of their scope: there may be tens of thousands of them.
    indexKeys: keys.length === 0 ? scope.indexKeys : [...keys, ...scope.indexKeys],
    matches: ({ namespace, labels }) => scope.includes(namespace) && matchesLabelSelector(selector, labels),
  };
};

/** The pods that a spread constraint counts: those of the owner's namespace that it selects. */
export const matcherOfSpread = (
  { labelSelector, matchLabelKeys: match = [] }: TopologySpreadConstraint,
  owner: PodIdentity,
): PodMatcher => {
  const selector = withLabelKeys(labelSelector, owner.labels, { match, mismatch: [] });
  return {
    text: `${owner.namespace} ${selectorText(selector)}`,
    indexKeys: [...selectorKeys(selector), [namespaceKey(owner.namespace)]],
    matches: ({ namespace, labels }) => namespace === owner.namespace && matchesLabelSelector(selector, labels),
  };
};

/** The pods that use the claim, wherever its volume will be. */
export const matcherOfClaim = (claim: string): PodMatcher => ({
  text: `users of ${claim}`,
  indexKeys: [[claimKey(claim)]],
  matches: ({ unboundClaims }) => unboundClaims?.includes(claim) === true,
  isOfVolume: true,
});

/** The pods that all of these select. */
export const matcherOfAll = (matchers: readonly PodMatcher[]): PodMatcher => ({
  text: [...new Set(matchers.map(({ text }) => text))].sort().join(' & '),
  indexKeys: matchers.flatMap(({ indexKeys }) => indexKeys),
  matches: (pod) => matchers.every(({ matches }) => matches(pod)),
});

interface Matching {
  readonly matcher: PodMatcher;
}

/**
 * Matchers by the labels that the selected pods must have. A pod is compared with few of them, and with none of other
 * labels.
 */
export class MatcherIndex<T extends Matching> {
  readonly #byKey = new Map<string, T[]>();
  /** Those that may select any pod. */
  readonly #others: T[] = [];

  /** Enters it by the set of keys that finds the fewest others: one label may be shared by all of them, another by none. */
  add(entry: T): void {
    let best: readonly string[] | undefined;
    let leastCost = Infinity;
    for (const keys of entry.matcher.indexKeys) {
      const cost = keys.reduce((sum, key) => sum + 1 + (this.#byKey.get(key)?.length ?? 0), 0);
      if (cost < leastCost) [best, leastCost] = [keys, cost];
    }
    if (best === undefined) this.#others.push(entry);
    for (const key of new Set(best)) {
      addToGroup(this.#byKey, key, entry);
    }
  }

  /** All that select the pod, in no particular order. Costs the labels of the pod and those that share a key with it. */
  selecting(pod: PodIdentity): T[] {
    const found = this.#others.filter(({ matcher }) => matcher.matches(pod));
    // Odd labels may share a key.
    for (const key of new Set(indexKeysOf(pod))) {
      for (const entry of this.#byKey.get(key) ?? []) if (entry.matcher.matches(pod)) found.push(entry);
    }
    return found;
  }
}

/** What the census counts of pods in one namespace, or of all. */
interface Counts {
  pods: number;
  /** Index key of the matchers → the pods that have it. */
  readonly withKey: Map<string, number>;
}

const noCounts = (): Counts => ({ pods: 0, withKey: new Map() });

/**
 * How many pods there are of each namespace, label and value, of the labels that selectors read: at most so many does a
 * selector pick.
 */
export class PodCensus {
  readonly #everywhere = noCounts();
  readonly #inNamespace = new Map<string, Counts>();
  readonly #labelKeys: ReadonlySet<string>;

  /** `labelKeys`: all that the terms read of whose pods it says how many there are. */
  constructor(labelKeys: ReadonlySet<string>) {
    this.#labelKeys = labelKeys;
  }

  /** Costs the labels of the pod, however many selectors there are. */
  add({ metadata: { namespace = 'default', labels = {} } }: Pod): void {
    const own = getOrMake(this.#inNamespace, namespace, noCounts);
    const keys = Object.entries(labels).flatMap(([key, value]) => (this.#labelKeys.has(key) ? [labelKey(key), valueKey(key, value)] : []));
    for (const counts of [own, this.#everywhere]) {
      counts.pods += 1;
      for (const key of keys) counts.withKey.set(key, (counts.withKey.get(key) ?? 0) + 1);
    }
  }

  podsIn(namespace: string): number {
    return this.#inNamespace.get(namespace)?.pods ?? 0;
  }

  /** The most pods that a term of a pod in this namespace may select. Costs the values of its selector. */
  mostSelected(term: Partial<PodAffinityTerm> & Pick<TopologySpreadConstraint, 'labelSelector'>, namespace: string): number {
    const { labelSelector, namespaces = [], namespaceSelector } = term;
    const isOfOwn = namespaces.length === 0 && namespaceSelector === undefined;
    const { pods, withKey } = (isOfOwn ? this.#inNamespace.get(namespace) : this.#everywhere) ?? noCounts();
    const withOneOf = (keys: readonly string[]): number => keys.reduce((sum, key) => sum + (withKey.get(key) ?? 0), 0);
    return Math.min(pods, ...selectorKeys(labelSelector).map(withOneOf));
  }
}
