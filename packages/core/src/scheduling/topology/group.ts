import { CountedTally } from './domain-table.ts';
import type { Tally } from './domain-table.ts';
import { compareText, containsBits, getOrMake, sorting } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { MatcherIndex } from './pod-matcher.ts';
import type { PodIdentity, PodMatcher } from './pod-matcher.ts';
import { labels } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { firstUntolerated, labelOf } from '../../kube/index.ts';
import type { Taint, Toleration, TopologySpreadConstraint } from '../../kube/index.ts';
import { requirementsText } from '../../catalog/index.ts';
import { compatible, firstUnmet, implies, meetsFields } from '../../requirements/index.ts';
import type { NamedNodes, Requirement, Requirements } from '../../requirements/index.ts';
import { boundToCatalog, mayBeLaunched } from '../nodes/node-state.ts';
import type { NodeState } from '../nodes/node-model.ts';

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

  /** Whether each eligible domain beside this one, which is eligible too, has at least so many. */
  haveOthers(count: number, domain: number): boolean {
    if (!this.isEligible(domain)) return this.least >= count;
    const own = this.#counts.at(domain);
    for (let below = this.least; below < count && this.eligibleDomains > 1; below++)
      if (this.#domainsWith.at(below) > Number(below === own)) return false;
    return true;
  }

  at(domain: number): number {
    return this.#counts.at(domain);
  }

  isEligible(domain: number): boolean {
    return this.#reasons.at(domain) > 0;
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
  /** Its place in the order of the table's groups, by what they count. */
  rank: number;
}

/** No two of a table are equal. */
const compareGroups = (a: Group, b: Group): number =>
  compareText(a.kind, b.kind) ||
  compareText(a.topologyKey, b.topologyKey) ||
  compareText(a.matcher.text, b.matcher.text) ||
  compareText(a.filter?.text ?? '', b.filter?.text ?? '');

const byRank = (a: Group, b: Group): number => a.rank - b.rank;

type Interned = Pick<Group, 'key' | 'topologyKey' | 'matcher'> & { readonly filter?: NodeFilter };

/** Groups by what they count: constraints with one meaning share one. */
export class GroupTable {
  readonly all: Group[] = [];
  /** By kind and topology key, by filter, then by matcher: of matchers alone there may be tens of thousands. */
  readonly #known = new Map<string, Map<string, Map<string, Group>>>();
  readonly #filters = new Map<string, NodeFilter>();
  readonly #carriers = new MatcherIndex<Group>();
  readonly #others = new MatcherIndex<Group>();

  intern(kind: Group['kind'], what: Interned): Group {
    const { topologyKey, matcher, filter } = what;
    const ofKey = getOrMake(this.#known, `${kind} ${topologyKey}`, () => new Map<string, Map<string, Group>>());
    const alike = getOrMake(ofKey, filter?.text ?? '', () => new Map<string, Group>());
    return getOrMake(alike, matcher.text, () => this.#made(kind, what));
  }

  #made(kind: Group['kind'], { key, topologyKey, matcher, filter }: Interned): Group {
    const hasMinimum = kind === 'spread' && key >= 0;
    const made: Group = {
      kind,
      key,
      topologyKey,
      matcher,
      counter: new CountedTally(),
      minimum: hasMinimum ? new GlobalMinimum() : undefined,
      filter: filter && this.#canonical(filter),
      isRequired: false,
      rank: Number.MAX_SAFE_INTEGER,
    };
    this.all.push(made);
    (kind === 'carriers' ? this.#carriers : this.#others).add(made);
    return made;
  }

  /** Ranks all groups. Once, when all are known: their texts are long, and each class sorts those that select it. */
  *ranking(): Steps<void> {
    const sorted = yield* sorting(this.all, compareGroups);
    sorted.forEach((group, rank) => {
      group.rank = rank;
    });
  }

  /** The groups of pods that keep this one away, by rank. */
  keepingOff(pod: PodIdentity): readonly Group[] {
    return this.#carriers.selecting(pod).sort(byRank);
  }

  /** The other groups that select the pod, which count it, by rank. */
  counting(pod: PodIdentity): readonly Group[] {
    return this.#others.selecting(pod).sort(byRank);
  }

  #canonical(filter: NodeFilter): NodeFilter {
    return getOrMake(this.#filters, filter.text, () => filter);
  }
}

/**
 * Which nodes a spread constraint counts. Source: Kubernetes, "Pod Topology Spread Constraints", node affinity and
 * taints policies.
 */
export interface NodeFilter {
  readonly text: string;
  readonly passes: (node: NodeView) => boolean;
  /** Whether a new node of this state will certainly pass, might, or cannot. */
  readonly verdictOn: (state: NodeState) => 'certain' | 'possible' | 'never';
}

/**
 * The pod that the constraint belongs to: its node requirements, its tolerations, and the keys of all its hard constraints.
 */
export interface FilterOwner {
  readonly alternatives: readonly Requirements[];
  readonly byName: readonly NamedNodes[];
  readonly tolerations: readonly Toleration[];
  /** A node without one of these labels is not counted for any of them. */
  readonly topologyKeys: readonly string[];
}

const everything: readonly Requirements[] = [new Map()];

/** Whether every machine that the state may still become states the label, and with a value that is wanted. */
const isStatedByAll = ({ template: { catalog }, types, offerings }: NodeState, wanted: Requirement): boolean =>
  catalog.offeringKeys.has(wanted.key)
    ? containsBits(catalog.offeringsImplying(wanted), offerings)
    : containsBits(catalog.typesImplying(wanted), types);

/**
 * Whether the requirements cannot fail any more, for each value that a label may get. A new node only ever loses
 * types and values.
 */
const isCertain = (state: NodeState, wanted: Requirements): boolean =>
  [...wanted.values()].every((requirement) => {
    const own = state.requirements.get(requirement.key);
    if (own !== undefined && implies(own, requirement)) return true;
    if (state.template.wellKnown.has(requirement.key)) return isStatedByAll(state, requirement);
    return own === undefined && requirement.mayBeAbsent;
  });

/** Whether some machine of the state meets them: a zone and an architecture may each be on sale, and never together. */
const mayMeet = (state: NodeState, wanted: Requirements): boolean =>
  wanted.size === 0 ||
  (compatible(state.requirements, wanted, { allowUndefined: state.template.wellKnown }) === undefined &&
    mayBeLaunched(state, boundToCatalog(wanted, state.template)));

const mayHaveLabel = ({ template, requirements }: NodeState, key: string): boolean =>
  key === labels.hostname || template.wellKnown.has(key) || requirements.get(key)?.mayBeAbsent === false;

export const nodeFilter = (
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: TopologySpreadConstraint,
  { alternatives, byName, tolerations, topologyKeys }: FilterOwner,
): NodeFilter => {
  const wanted = nodeAffinityPolicy === 'Honor' ? alternatives : everything;
  const named = nodeAffinityPolicy === 'Honor' ? byName : [];
  const ofNode = (name?: string): readonly Requirements[] =>
    named.filter(({ matchFields }) => meetsFields(matchFields, name)).map(({ requirements }) => requirements);
  const onNewNodes = [...wanted, ...ofNode()];
  const isTaintBlind = nodeTaintsPolicy === 'Ignore';
  const isRefused = (taints: readonly Taint[]): boolean => !isTaintBlind && firstUntolerated(taints, tolerations) !== undefined;
  const hasKeys = (own: NodeView['labels']): boolean =>
    topologyKeys.every((key) => key === labels.hostname || labelOf(own, key) !== undefined);
  return {
    text: JSON.stringify([
      wanted.map(requirementsText).sort(),
      named.map(({ matchFields, requirements }) => [matchFields, requirementsText(requirements)]),
      isTaintBlind ? '' : tolerations,
      [...topologyKeys].sort(),
    ]),
    passes: ({ name, labels: own, taints }) =>
      hasKeys(own) &&
      !isRefused(taints) &&
      (wanted.some((requirements) => firstUnmet(requirements, own) === undefined) ||
        ofNode(name).some((requirements) => firstUnmet(requirements, own) === undefined)),
    verdictOn: (state) => {
      const { template } = state;
      if (isRefused(template.taints) || !topologyKeys.every((key) => mayHaveLabel(state, key))) return 'never';
      const open = onNewNodes.filter((each) => mayMeet(state, each));
      if (open.length === 0) return 'never';
      return open.some((each) => isCertain(state, each)) ? 'certain' : 'possible';
    },
  };
};

export interface SpreadCheck {
  readonly group: Group;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** 1 when the pod counts itself. */
  readonly self: 0 | 1;
}

/** Groups of one set of affinity terms: each must count a pod in the domain, unless the pod may be the first. */
export interface AffinityCheck {
  readonly groups: readonly Group[];
  /** Every group of the set, whatever its key. */
  readonly allGroups: readonly Group[];
  readonly selectsItself: boolean;
}

/** Constraints that read the domains of some keys. */
export interface CheckList {
  readonly antiAffinity: readonly Group[];
  readonly spreads: readonly SpreadCheck[];
  readonly affinity: readonly AffinityCheck[];
}

/** What is checked of a place for a pod of a class, with some of its preferences or none. */
export interface Checks {
  /** Keys, the host name aside, whose domain must be settled before a pod of the class joins a node. */
  readonly keys: readonly number[];
  /** About the host. What a host refuses because of `antiAffinity` or `spreads` it refuses for good. */
  readonly host: CheckList;
  /** About the domains of all other keys. */
  readonly wide: CheckList;
}

/** Whether nothing that the terms select exists anywhere: then a pod that they select themselves may be the first. */
export const mayBeFirst = ({ allGroups, selectsItself }: AffinityCheck): boolean =>
  selectsItself && allGroups.every(({ counter }) => counter.total === 0);

/**
 * Whether the domain keeps to the spread with so many pods. A new host can always be added, so the least count over
 * hosts is zero. A domain is not compared with itself: how many of its pods count may not be settled yet, but it is the
 * same number on both sides.
 */
const keepsSkew = ({ group: { minimum }, maxSkew, minDomains }: SpreadCheck, domain: number, count: number): boolean =>
  count <= maxSkew || (minimum !== undefined && minimum.eligibleDomains >= minDomains && minimum.haveOthers(count - maxSkew, domain));

/** The first group that has no pod where the affinity asks for one. */
const firstMissing = (affinity: readonly AffinityCheck[], domainOf: (key: number) => number): Group | undefined => {
  for (const join of affinity) {
    for (const group of join.groups) {
      const domain = domainOf(group.key);
      if (domain < 0 || (group.counter.at(domain) === 0 && !mayBeFirst(join))) return group;
    }
  }
  return undefined;
};

/**
 * The first group that keeps a pod out of these domains; undefined when none does. A negative domain: the node lacks
 * the label.
 */
export const firstRefusal = ({ antiAffinity, spreads, affinity }: CheckList, domainOf: (key: number) => number): Group | undefined => {
  for (const group of antiAffinity) {
    if (group.counter.at(domainOf(group.key)) > 0) return group;
  }
  for (const check of spreads) {
    const domain = domainOf(check.group.key);
    if (domain < 0 || !keepsSkew(check, domain, check.group.counter.at(domain) + check.self)) return check.group;
  }
  return affinity.length === 0 ? undefined : firstMissing(affinity, domainOf);
};

/** Whether a pod that is counted already, and by which groups, has in these domains what the checks ask. */
export const isMetBeside = (
  { antiAffinity, spreads, affinity }: CheckList,
  countedBy: readonly Group[],
  domainOf: (key: number) => number,
): boolean => {
  const othersIn = (group: Group): number => group.counter.at(domainOf(group.key)) - Number(countedBy.includes(group));
  return (
    antiAffinity.every((group) => othersIn(group) <= 0) &&
    spreads.every((check) => {
      const domain = domainOf(check.group.key);
      return domain >= 0 && keepsSkew(check, domain, check.group.counter.at(domain));
    }) &&
    affinity.every(({ groups }) => groups.every((group) => domainOf(group.key) >= 0 && othersIn(group) > 0))
  );
};
