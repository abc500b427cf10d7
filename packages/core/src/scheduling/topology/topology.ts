import { compareText, chunksOf, getOrMake, itemAt, memoByKey } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isTerminating, labelOf, namespaceOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import { isReadable } from '../pod-classes/pod-shape.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import { classTopology, internCarriers, internGroups } from './class-topology.ts';
import type { ClassTopology, TopologyTables } from './class-topology.ts';
import type { Tally, UnlistedDomains } from './domain-table.ts';
import type { ConstrainedPod, ConstrainedPods, TopologySource } from './constrained-pods.ts';
import { DomainTable, HOST, Ledger, Projections } from './domain-table.ts';
import type { GlobalMinimum, Group, NodeFilter } from './group.ts';
import { GroupTable } from './group.ts';
import type { PodIdentity, TermOwner } from './pod-matcher.ts';
import { meetsMinValues } from '../nodes/fit.ts';
import { hasPodConstraints, labelKeysReadBy } from './constrained-pods.ts';
import { keptAwayBy, wantedTopology } from './topology-constraints.ts';
import type { WantedTopology } from './topology-constraints.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';

type Verdict = ReturnType<NodeFilter['verdictOn']>;

/** About a millisecond of pods that were never read before. */
const PODS_A_STEP = 32;

/** About a millisecond of states that were never reached before. */
const STATES_A_STEP = 64;

/** Beyond so many groups one pod may take milliseconds to count. */
const GROUPS_A_STEP = 2_000;

/**
 * Where the pods are that topology constraints select: counted once per snapshot, kept up to date while pods are
 * placed, and rolled back by `rollBack`.
 */
export class Topology {
  readonly domains: DomainTable;
  readonly #source: TopologySource;
  readonly #tables: TopologyTables;
  readonly #projections: Projections;
  readonly #numberOf: ReadonlyMap<string, number>;
  /** Nodes that will be deleted, numbered after the others: pods that stay on them still count for affinity. */
  readonly #leaving: ReadonlyMap<string, number>;
  /** Frame → projection → what such a pod wants, whatever its size. */
  readonly #wanted = new Map<string, Map<string, WantedTopology>>();
  /** Frame → projection → the groups that count such a pod because it keeps others away. */
  readonly #carried = new Map<string, Map<string, readonly Group[]>>();
  /** Frame → projection → the topology of the class. */
  readonly #ofClass = new Map<string, Map<string, ClassTopology | undefined>>();
  readonly #countingGroups = new Map<string, readonly Group[]>();
  /** Filter → node → whether it passes. */
  readonly #passing = new Map<NodeFilter, Uint8Array>();
  readonly #verdicts = new Map<NodeFilter, (state: NodeState) => Verdict>();
  /** Filter → key → initial state of a template → the domains in which it may launch nodes that the spread counts. */
  readonly #launchableBy = memoByKey((_: NodeFilter) => memoByKey((__: number) => new Map<NodeState, readonly number[]>()));
  /** Spreads over labels that may have any value of a kind: their domains become known with the first node there. */
  #unlisted: readonly Group[] = [];
  readonly #ledger = new Ledger();
  readonly #onlyCarriers = new Set<Pod>();

  constructor(source: TopologySource, { specs, keys }: ConstrainedPods) {
    this.#source = source;
    this.#projections = new Projections([...new Set([...specs.values()].flatMap(labelKeysReadBy))].sort());
    this.domains = new DomainTable(keys);
    this.#tables = { domains: this.domains, groups: new GroupTable() };
    this.#numberOf = new Map(source.nodes.map(({ name }, number) => [name, number]));
    const leaving = source.snapshot.nodes.map(({ name }) => name).filter((name) => !this.#numberOf.has(name));
    this.#leaving = new Map(leaving.sort(compareText).map((name, index) => [name, source.nodes.length + index]));
  }

  #unlistedDomains(): readonly UnlistedDomains[] {
    return this.#source.templates.flatMap(({ initial: state }) =>
      state === undefined ? [] : this.domains.keys.flatMap((_, key) => (this.domains.isUnlisted(state, key) ? [{ state, key }] : [])),
    );
  }

  /** Makes the domains known that only pods bring, by asking for a value of a label that the pool leaves open. */
  *#askingDomains(unlisted: readonly UnlistedDomains[]): Steps<void> {
    if (unlisted.length === 0) return;
    const { snapshot, moving, shapeOf } = this.#source;
    for (const chunk of chunksOf([...snapshot.pendingPods, ...moving], PODS_A_STEP)) {
      const shapes = new Set(chunk.map(({ spec }) => shapeOf(spec)));
      for (const { relaxationOrder } of shapes)
        for (const { requirements } of relaxationOrder.flat()) for (const each of unlisted) this.domains.ask(each, requirements);
      yield;
    }
  }

  /** Interns the groups of all constrained pods. Once, before anything is counted. */
  *interningGroups(constrained: ConstrainedPods): Steps<void> {
    const unlisted = this.#unlistedDomains();
    yield* this.#askingDomains(unlisted);
    for (const chunk of chunksOf(constrained.pods, PODS_A_STEP)) {
      for (const each of chunk) {
        if (constrained.isOnlyCarrier(each)) this.#onlyCarriers.add(each.given);
        else this.#internGroups(each);
      }
      yield;
    }
    const unlistedKeys = new Set(unlisted.map(({ key }) => key));
    this.#unlisted = this.#tables.groups.all.filter(({ minimum, key }) => minimum !== undefined && unlistedKeys.has(key));
    for (const group of this.#tables.groups.all) {
      yield* this.#findingEligibleDomains(group);
      yield;
    }
  }

  /** Whether only that is known of the pod by which it keeps others away: it runs, and cannot be placed elsewhere. */
  isOnlyCarrier(pod: Pod): boolean {
    return this.#onlyCarriers.has(pod);
  }

  /** Counts the pods of the snapshot, node by node. Once, before anything is placed. */
  *counting(): Steps<void> {
    for (const node of this.#source.snapshot.nodes) {
      for (const pod of node.pods) {
        if (!this.#source.moving.has(pod)) this.#count(pod, node, 1);
        if (this.#hasManyGroups()) yield;
      }
      // This is the snapshot itself, nothing to undo.
      this.#ledger.forget();
      yield;
    }
  }

  /** Orders the groups. Once, before any class is read. */
  rankingGroups(): Steps<void> {
    return this.#tables.groups.ranking();
  }

  /** What selectors see of the pod: pods with the same projection and spec are equal. */
  projectionOf(pod: Pod): string {
    return this.#projections.of(pod, this.#source.unboundClaimsOf(pod));
  }

  /** The same object for pods that differ in size only. Call it once all groups are ranked. */
  classTopology(pod: Pod, shape: PodShape): ClassTopology | undefined {
    if (!isReadable(shape)) return this.#readClass(pod, shape);
    const ofFrame = getOrMake(this.#ofClass, shape.frame, () => new Map<string, ClassTopology | undefined>());
    const projection = this.projectionOf(pod);
    if (ofFrame.has(projection)) return ofFrame.get(projection);
    const fresh = this.#readClass(pod, shape);
    ofFrame.set(projection, fresh);
    return fresh;
  }

  #readClass(pod: Pod, shape: PodShape): ClassTopology | undefined {
    const wanted = this.#isConstrained(pod) && isReadable(shape) ? this.#wantedOf(pod, shape) : undefined;
    const respectsPreferences = this.#source.policy.preferences !== 'Ignore';
    return classTopology(wanted, this.#ownerOf(pod), { tables: this.#tables, respectsPreferences });
  }

  /** Pods leave the node that they are bound to. */
  *removingPods(pods: Iterable<Pod>, node: NodeView): Steps<void> {
    for (const pod of pods) {
      this.#count(pod, node, -1);
      if (this.#hasManyGroups()) yield;
    }
  }

  /** The node counts as gone: domains that only it made eligible no longer are. */
  exclude(node: NodeView): void {
    const number = this.#numberOf.get(node.name);
    if (number === undefined) return;
    for (const group of this.#tables.groups.all) {
      const { minimum, key } = group;
      if (minimum === undefined || !this.#passes(group, number)) continue;
      this.#ledger.add(reasonsOf(minimum), this.domains.domainOfNode(node, key), -1);
    }
  }

  /** Nothing can be launched from the template: domains that only it made eligible no longer are. */
  closeTemplate({ initial }: NodeTemplate): void {
    for (const group of this.#tables.groups.all) {
      const { minimum } = group;
      if (minimum === undefined) continue;
      for (const domain of this.#launchable(group, initial)) this.#ledger.add(reasonsOf(minimum), domain, -1);
    }
  }

  placeOnNode({ countedBy }: ClassTopology, number: number, count: number): void {
    const node = itemAt(this.#source.nodes, number);
    for (const group of countedBy) {
      if (this.#passes(group, number)) this.#add(group, group.key === HOST ? number : this.domains.domainOfNode(node, group.key), count);
    }
  }

  /** `number` is the new node's, `state` the one that it has taken on with the pod. */
  placeOnNewNode({ countedBy }: ClassTopology, number: number, state: NodeState): void {
    for (const group of this.#unlisted) this.#makeEligible(group, state);
    for (const group of countedBy) {
      const verdict = this.#verdictOn(group, state);
      if (verdict === 'never') continue;
      const domain = group.key === HOST ? this.hostOfNewNode(number) : this.domains.domainOfState(state, group.key);
      if (domain < 0) continue;
      this.#ledger.add(group.counter, domain, 1);
      if (group.minimum !== undefined && verdict === 'certain') this.#ledger.add(group.minimum, domain, 1);
    }
  }

  /** The node's domain counts for the spread from now on, also where none of its pods is there yet. */
  #makeEligible(group: Group, state: NodeState): void {
    const { minimum, key } = group;
    if (minimum === undefined || this.#verdictOn(group, state) !== 'certain') return;
    const domain = this.domains.domainOfState(state, key);
    if (domain >= 0 && !minimum.isEligible(domain)) this.#ledger.add(reasonsOf(minimum), domain, 1);
  }

  /**
   * What counts a new node of this state, as a text: its domains, and the spreads that count it. Between nodes with
   * the same signature pods may be exchanged.
   */
  readonly signatureOf = memoByKey((state: NodeState): string => {
    const domains = this.domains.keys.map((_, key) => this.domains.domainOfState(state, key));
    const verdicts = Array.from(this.#verdicts.keys(), (filter) => this.#verdictOf(filter, state));
    return `${domains.join()} ${verdicts.join()}`;
  });

  /** The domains of a key in which there are nodes, or may be, as their label has it, in order. */
  readonly valuesOf = memoByKey((key: number): readonly string[] => {
    const label = this.domains.labelOfKey(key);
    const { nodes, templates } = this.#source;
    const launchable = templates.flatMap(({ initial }) => (initial === undefined ? [] : this.domains.valuesLeft(initial, key)));
    const onNodes = nodes.flatMap(({ labels }) => labelOf(labels, label) ?? []);
    return [...new Set([...onNodes, ...launchable])].sort(compareText);
  });

  /** Key → the domain of a node that stays. */
  domainsOfNode(number: number): (key: number) => number {
    const node = itemAt(this.#source.nodes, number);
    return (key) => (key === HOST ? number : this.domains.domainOfNode(node, key));
  }

  /** Key → the domain of a new node in this state. */
  domainsOfNewNode(number: number, state: NodeState): (key: number) => number {
    return (key) => (key === HOST ? this.hostOfNewNode(number) : this.domains.domainOfState(state, key));
  }

  hostOfNewNode(number: number): number {
    return this.#numberOf.size + this.#leaving.size + number;
  }

  /** Back to the snapshot; costs what was done since. */
  rollBack(): void {
    this.#ledger.undo();
  }

  #hasManyGroups(): boolean {
    return this.#tables.groups.all.length > GROUPS_A_STEP;
  }

  #isConstrained(pod: Pod): boolean {
    return hasPodConstraints(pod.spec) || this.#source.unboundClaimsOf(pod).length > 0;
  }

  #ownerOf(pod: Pod): TermOwner {
    const { namespaceLabels } = this.#source.snapshot;
    const unboundClaims = this.#source.unboundClaimsOf(pod);
    return { namespace: namespaceOf(pod), labels: pod.metadata.labels ?? {}, namespaceLabels, unboundClaims };
  }

  #wantedOf(pod: Pod, shape: PodShape): WantedTopology {
    const ofFrame = getOrMake(this.#wanted, shape.frame, () => new Map<string, WantedTopology>());
    return getOrMake(ofFrame, this.projectionOf(pod), () => wantedTopology(pod.spec, shape, this.#ownerOf(pod)));
  }

  #internGroups({ pod, shape }: ConstrainedPod): void {
    if (this.#wanted.get(shape.frame)?.has(this.projectionOf(pod)) === true) return;
    const wanted = this.#wantedOf(pod, shape);
    internGroups(wanted.required, this.#ownerOf(pod), { tables: this.#tables, isRequired: true });
    if (this.#source.policy.preferences === 'Ignore') return;
    for (const preference of wanted.preferences)
      if (preference !== undefined) internGroups(preference, this.#ownerOf(pod), { tables: this.#tables, isRequired: false });
  }

  *#findingEligibleDomains(group: Group): Steps<void> {
    const { filter, minimum } = group;
    if (filter === undefined) return;
    const { nodes, templates } = this.#source;
    const passing = getOrMake(this.#passing, filter, () => Uint8Array.from(nodes, (node) => Number(filter.passes(node))));
    getOrMake(this.#verdicts, filter, () => memoByKey((state: NodeState) => filter.verdictOn(state)));
    if (minimum === undefined) return;
    nodes.forEach((node, number) => {
      if (passing[number] === 1) minimum.addReason(this.domains.domainOfNode(node, group.key), 1);
    });
    for (const { initial } of templates) {
      if (initial === undefined) continue;
      const known = this.#launchableBy(filter)(group.key);
      if (!known.has(initial)) known.set(initial, yield* this.#findingLaunchable(group, initial));
      for (const domain of this.#launchable(group, initial)) minimum.addReason(domain, 1);
    }
  }

  /** The domains in which the template may launch nodes that the spread counts. A key may have one for each instance type. */
  *#findingLaunchable(group: Group, initial: NodeState): Steps<readonly number[]> {
    const found: number[] = [];
    let tried = 0;
    for (const state of this.domains.settling(initial, group.key)) {
      if (meetsMinValues(state) && this.#verdictOn(group, state) !== 'never') found.push(this.domains.domainOfState(state, group.key));
      if (++tried % STATES_A_STEP === 0) yield;
    }
    return found;
  }

  #launchable({ filter, key }: Group, initial: NodeState | undefined): readonly number[] {
    if (filter === undefined || initial === undefined) return [];
    return this.#launchableBy(filter)(key).get(initial) ?? [];
  }

  #groupsCounting(pod: PodIdentity, projection: string): readonly Group[] {
    return getOrMake(this.#countingGroups, projection, () => this.#tables.groups.counting(pod));
  }

  /** Counts a bound pod. Kubernetes ignores pods that are being deleted for spreads, and for nothing else. */
  #count(pod: Pod, node: NodeView, delta: number): void {
    const owner = this.#ownerOf(pod);
    const number = this.#numberOf.get(node.name);
    const host = number ?? this.#leaving.get(node.name) ?? HOST;
    const carried = hasPodConstraints(pod.spec) ? this.#carriedBy(pod) : [];
    for (const group of [...this.#groupsCounting(owner, this.projectionOf(pod)), ...carried]) {
      if (group.filter !== undefined && (isTerminating(pod) || !this.#isPassing(group, node, number))) continue;
      this.#add(group, group.key === HOST ? host : this.domains.domainOfNode(node, group.key), delta);
    }
  }

  #isPassing(group: Group, node: NodeView, number: number | undefined): boolean {
    return number === undefined ? (group.filter?.passes(node) ?? true) : this.#passes(group, number);
  }

  #passes({ filter }: Group, number: number): boolean {
    return filter === undefined || this.#passing.get(filter)?.[number] === 1;
  }

  #carriedBy(pod: Pod): readonly Group[] {
    const shape = this.#source.shapeOf(pod.spec);
    if (!isReadable(shape)) return [];
    const ofFrame = getOrMake(this.#carried, shape.frame, () => new Map<string, readonly Group[]>());
    return getOrMake(ofFrame, this.projectionOf(pod), () => {
      const wanted = this.#onlyCarriers.has(pod)
        ? keptAwayBy(pod.spec, this.#ownerOf(pod))
        : this.#wantedOf(pod, shape).required.antiAffinity;
      return internCarriers(wanted, this.#tables);
    });
  }

  #add({ counter, minimum }: Group, domain: number, delta: number): void {
    if (domain < 0) return;
    this.#ledger.add(counter, domain, delta);
    if (minimum !== undefined) this.#ledger.add(minimum, domain, delta);
  }

  #verdictOn({ filter }: Group, state: NodeState): Verdict {
    return filter === undefined ? 'certain' : this.#verdictOf(filter, state);
  }

  #verdictOf(filter: NodeFilter, state: NodeState): Verdict {
    return this.#verdicts.get(filter)?.(state) ?? filter.verdictOn(state);
  }
}

/** Reasons for domains to be eligible, in a form that the ledger can undo. */
const reasonsOf = (minimum: GlobalMinimum): Pick<Tally, 'add'> => ({ add: (domain, delta) => minimum.addReason(domain, delta) });
