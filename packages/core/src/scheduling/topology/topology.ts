import { compareText, portionsOf } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { labels } from '../../apis/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { isTerminating } from '../../kube/index.ts';
import type { Pod, PodSpec } from '../../kube/index.ts';
import { isReadable } from '../classes/pod-shape.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import type { NodeState } from '../places/node-state.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { classTopology, readArrangement } from './class-topology.ts';
import type { ClassTopology, TopologyTables } from './class-topology.ts';
import type { Tally } from './counter.ts';
import { DomainTable, HOST } from './domain-table.ts';
import type { FloorCounter } from './global-minimum.ts';
import { GroupTable } from './group.ts';
import type { Group } from './group.ts';
import { Ledger } from './ledger.ts';
import type { PodIdentity, TermOwner } from './pod-matcher.ts';
import { onlyValueOf } from './only-value.ts';
import { Projections } from './projections.ts';
import { labelKeysReadBy, speaksOfPods, topologyKeysReadBy } from './spec-terms.ts';
import { wantedTopology } from './wanted-topology.ts';
import type { WantedTopology } from './wanted-topology.ts';

/** What topology is made from. */
export interface TopologySource {
  readonly snapshot: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  /** Nodes that stay, in the order in which they are numbered. */
  readonly nodes: readonly NodeView[];
  readonly templates: readonly NodeTemplate[];
  readonly shapeOf: (spec: Pod['spec']) => PodShape;
  /** The pod as kube-scheduler reads it. */
  readonly asScheduled: (pod: Pod) => Pod;
  /** Claims that the pod shares with others, and whose volume will be made where the first of them goes. */
  readonly unmadeClaimsOf: (pod: Pod) => readonly string[];
  /** Pods of nodes that are given up: they are to be placed, and count nowhere. */
  readonly moving: ReadonlySet<Pod>;
}

/** About a millisecond of pods that were never read before. */
const PODS_A_STEP = 256;

interface Speaker {
  readonly pod: Pod;
  readonly shape: PodShape;
}

/** Pods that speak of others, and what is said, each only once. */
class Speakers {
  readonly pods: Speaker[] = [];
  readonly specs = new Map<PodShape, PodSpec>();
  /** The topology keys that are spoken of. */
  readonly keys = new Set<string>();
  readonly #source: TopologySource;

  constructor(source: TopologySource) {
    this.#source = source;
  }

  hear(given: Pod): void {
    const pod = this.#source.asScheduled(given);
    const isSharing = this.#source.unmadeClaimsOf(pod).length > 0;
    const shape = isSharing || speaksOfPods(pod.spec) ? this.#source.shapeOf(pod.spec) : undefined;
    if (shape === undefined || !isReadable(shape)) return;
    this.pods.push({ pod, shape });
    if (isSharing) this.keys.add(labels.zone);
    if (this.specs.has(shape)) return;
    this.specs.set(shape, pod.spec);
    for (const key of topologyKeysReadBy(pod.spec)) this.keys.add(key);
  }
}

/** The topology of a snapshot; undefined when no pod of it speaks of others: then nothing is counted at all. */
export function* readingTopology(source: TopologySource): Steps<Topology | undefined> {
  const { pendingPods, nodes } = source.snapshot;
  const speakers = new Speakers(source);
  for (const portion of portionsOf(pendingPods, PODS_A_STEP)) {
    for (const pod of portion) speakers.hear(pod);
    yield;
  }
  for (const { pods } of nodes) {
    for (const pod of pods) speakers.hear(pod);
    yield;
  }
  if (speakers.pods.length === 0) return undefined;
  const topology = new Topology(source, speakers);
  yield* topology.introducing(speakers.pods);
  yield* topology.counting();
  return topology;
}

/**
 * Where the pods are that topology constraints speak about: counted once for a snapshot, kept while pods are placed, and undone by `rollBack`.
 */
export class Topology {
  readonly domains: DomainTable;
  readonly #source: TopologySource;
  readonly #tables: TopologyTables;
  readonly #projections: Projections;
  readonly #numberOf: ReadonlyMap<string, number>;
  /** Nodes that are given up, numbered after those that stay: some of their pods stay with them, and are company until they go. */
  readonly #leaving: ReadonlyMap<string, number>;
  /** Frame → projection → what such a pod wants, whatever its size. */
  readonly #wanted = new Map<string, Map<string, WantedTopology>>();
  /** Frame → projection → what its class has to do with others. */
  readonly #ofClass = new Map<string, Map<string, ClassTopology | undefined>>();
  readonly #meant = new Map<string, readonly Group[]>();
  readonly #passing = new Map<Group, Uint8Array>();
  readonly #verdicts = new Map<Group, WeakMap<NodeState, 'certain' | 'possible' | 'never'>>();
  readonly #standings = new WeakMap<NodeState, string>();
  readonly #values = new Map<string, readonly string[]>();
  readonly #ledger = new Ledger();

  constructor(source: TopologySource, { specs, keys }: Speakers) {
    this.#source = source;
    this.#projections = new Projections([...new Set([...specs.values()].flatMap(labelKeysReadBy))].sort());
    this.domains = new DomainTable(keys);
    this.#tables = { domains: this.domains, groups: new GroupTable() };
    this.#numberOf = new Map(source.nodes.map(({ name }, number) => [name, number]));
    const leaving = source.snapshot.nodes.map(({ name }) => name).filter((name) => !this.#numberOf.has(name));
    this.#leaving = new Map(leaving.sort(compareText).map((name, index) => [name, source.nodes.length + index]));
  }

  /** Makes the groups known that these pods speak of: all that do. Once, before anything is counted. */
  *introducing(speaking: readonly Speaker[]): Steps<void> {
    for (const portion of portionsOf(speaking, PODS_A_STEP)) {
      for (const speaker of portion) this.#introduce(speaker);
      yield;
    }
    for (const group of this.#tables.groups.all) {
      this.#openDomains(group);
      yield;
    }
  }

  /** Counts the pods of the snapshot, node by node. Once, before anything is placed. */
  *counting(): Steps<void> {
    for (const node of this.#source.snapshot.nodes) {
      for (const pod of node.pods) if (!this.#source.moving.has(pod)) this.#count(pod, node, 1);
      yield;
    }
    // This is the snapshot itself, nothing to undo.
    this.#ledger.forget();
  }

  /** What selectors see of the pod: pods with one projection and one spec are equal. */
  projectionOf(pod: Pod): string {
    return this.#projections.of(pod, this.#source.unmadeClaimsOf(pod));
  }

  /** One value for pods that differ in size only. To be asked once all groups are known. */
  classTopology(pod: Pod, shape: PodShape): ClassTopology | undefined {
    if (!isReadable(shape)) return this.#readClass(pod, shape);
    const ofFrame = this.#ofClass.get(shape.frame) ?? new Map<string, ClassTopology | undefined>();
    this.#ofClass.set(shape.frame, ofFrame);
    const projection = this.projectionOf(pod);
    if (ofFrame.has(projection)) return ofFrame.get(projection);
    const fresh = this.#readClass(pod, shape);
    ofFrame.set(projection, fresh);
    return fresh;
  }

  #readClass(pod: Pod, shape: PodShape): ClassTopology | undefined {
    const wanted = this.#speaks(pod) && isReadable(shape) ? this.#wantedOf(pod, shape) : undefined;
    const respectsWishes = this.#source.policy.preferences === 'Respect';
    return classTopology(wanted, this.#ownerOf(pod), { tables: this.#tables, respectsWishes });
  }

  /** Pods leave the node that they are bound to. */
  leave(pods: Iterable<Pod>, node: NodeView): void {
    for (const pod of pods) this.#count(pod, node, -1);
  }

  /** Closes the domains that only this node kept open. */
  exclude(node: NodeView): void {
    const number = this.#numberOf.get(node.name);
    if (number === undefined) return;
    for (const group of this.#tables.groups.all) {
      const { floor, key } = group;
      if (floor === undefined || this.#passing.get(group)?.[number] !== 1) continue;
      this.#ledger.add(supportOf(floor), this.domains.domainOfNode(node, key), -1);
    }
  }

  /** Closes the domains that only machines of this template would open: none can be launched for now. */
  shut({ initial }: NodeTemplate): void {
    for (const group of this.#tables.groups.all) {
      const { floor } = group;
      if (floor === undefined) continue;
      for (const domain of this.#launchable(group, initial)) this.#ledger.add(supportOf(floor), domain, -1);
    }
  }

  placeOnNode({ gives }: ClassTopology, number: number, count: number): void {
    const node = this.#source.nodes[number];
    if (node === undefined) return;
    for (const group of gives) {
      const passes = group.filter === undefined || this.#passing.get(group)?.[number] === 1;
      if (passes) this.#add(group, group.key === HOST ? number : this.domains.domainOfNode(node, group.key), count);
    }
  }

  /** `number` is that of the draft; the state is what it has become by taking the pod. */
  placeOnDraft({ gives }: ClassTopology, number: number, state: NodeState): void {
    for (const group of gives) {
      const verdict = this.#verdictOn(group, state);
      if (verdict === 'never') continue;
      const domain = group.key === HOST ? this.hostOfDraft(number) : this.domains.domainOfState(state, group.key);
      if (domain < 0) continue;
      this.#ledger.add(group.counter, domain, 1);
      if (group.floor !== undefined && verdict === 'certain') this.#ledger.add(group.floor, domain, 1);
    }
  }

  /** Where a planned node of this state counts, as a text: its domains, and which spreads count it. Pods may change places between equals. */
  standingOf(state: NodeState): string {
    const known = this.#standings.get(state);
    if (known !== undefined) return known;
    const domains = this.domains.keys.map((_, key) => this.domains.domainOfState(state, key));
    const verdicts = this.#tables.groups.all.flatMap((group) => (group.filter === undefined ? [] : [this.#verdictOn(group, state)]));
    const fresh = `${domains.join()} ${verdicts.join()}`;
    this.#standings.set(state, fresh);
    return fresh;
  }

  /** The domains of a key in which there are nodes, or may be, as their label has it, in order. */
  valuesOf(key: number): readonly string[] {
    const label = this.domains.keys[key] ?? '';
    const known = this.#values.get(label);
    if (known !== undefined) return known;
    const { nodes, templates } = this.#source;
    const states = templates.flatMap(({ initial }) => (initial === undefined ? [] : this.domains.settled(initial, key)));
    const launchable = states.map(({ requirements }) => requirements.get(label)).map((own) => own && onlyValueOf(own));
    const values = [...nodes.map(({ labels }) => labels[label]), ...launchable].filter((value) => value !== undefined);
    const fresh = [...new Set(values)].sort(compareText);
    this.#values.set(label, fresh);
    return fresh;
  }

  hostOfDraft(number: number): number {
    return this.#numberOf.size + this.#leaving.size + number;
  }

  /** Back to the snapshot; costs what was done since. */
  rollBack(): void {
    this.#ledger.undo();
  }

  #speaks(pod: Pod): boolean {
    return speaksOfPods(pod.spec) || this.#source.unmadeClaimsOf(pod).length > 0;
  }

  #ownerOf(pod: Pod): TermOwner {
    const { metadata } = pod;
    const { namespaceLabels } = this.#source.snapshot;
    const unmadeClaims = this.#source.unmadeClaimsOf(pod);
    return { namespace: metadata.namespace ?? 'default', labels: metadata.labels ?? {}, namespaceLabels, unmadeClaims };
  }

  #wantedOf(pod: Pod, shape: PodShape): WantedTopology {
    const projection = this.projectionOf(pod);
    const ofFrame = this.#wanted.get(shape.frame) ?? new Map<string, WantedTopology>();
    const known = ofFrame.get(projection);
    if (known !== undefined) return known;
    const fresh = wantedTopology(pod.spec, shape, this.#ownerOf(pod));
    this.#wanted.set(shape.frame, ofFrame.set(projection, fresh));
    return fresh;
  }

  #introduce({ pod, shape }: Speaker): void {
    if (this.#wanted.get(shape.frame)?.has(this.projectionOf(pod)) === true) return;
    const wanted = this.#wantedOf(pod, shape);
    readArrangement(wanted.required, this.#ownerOf(pod), { tables: this.#tables, isRequired: true });
    if (this.#source.policy.preferences === 'Ignore') return;
    for (const wish of wanted.wishes) readArrangement(wish, this.#ownerOf(pod), { tables: this.#tables, isRequired: false });
  }

  #openDomains(group: Group): void {
    const { filter, floor } = group;
    if (filter === undefined) return;
    const { nodes, templates } = this.#source;
    const passing = Uint8Array.from(nodes, (node) => Number(filter.passes(node)));
    this.#passing.set(group, passing);
    if (floor === undefined) return;
    nodes.forEach((node, number) => {
      if (passing[number] === 1) floor.support(this.domains.domainOfNode(node, group.key), 1);
    });
    for (const { initial } of templates) for (const domain of this.#launchable(group, initial)) floor.support(domain, 1);
  }

  /** The domains in which nodes of a template may come up that the spread counts. */
  #launchable(group: Group, initial: NodeState | undefined): readonly number[] {
    const states = initial === undefined ? [] : this.domains.settled(initial, group.key);
    return states.filter((state) => this.#verdictOn(group, state) !== 'never').map((state) => this.domains.domainOfState(state, group.key));
  }

  #meantBy(pod: PodIdentity, projection: string): readonly Group[] {
    const known = this.#meant.get(projection);
    if (known !== undefined) return known;
    const fresh = this.#tables.groups.all.filter(({ kind, matcher }) => kind !== 'carriers' && matcher.matches(pod));
    this.#meant.set(projection, fresh);
    return fresh;
  }

  /** A pod that is bound to a node: Kubernetes leaves those that are being deleted out of spreads, and nowhere else. */
  #count(pod: Pod, node: NodeView, delta: number): void {
    const owner = this.#ownerOf(pod);
    const number = this.#numberOf.get(node.name);
    const host = number ?? this.#leaving.get(node.name) ?? HOST;
    const carried = speaksOfPods(pod.spec) ? this.#carriedBy(pod) : [];
    for (const group of [...this.#meantBy(owner, this.projectionOf(pod)), ...carried]) {
      if (group.filter !== undefined && (isTerminating(pod) || !this.#isPassing(group, node, number))) continue;
      this.#add(group, group.key === HOST ? host : this.domains.domainOfNode(node, group.key), delta);
    }
  }

  #isPassing(group: Group, node: NodeView, number: number | undefined): boolean {
    return number === undefined ? (group.filter?.passes(node) ?? true) : this.#passing.get(group)?.[number] === 1;
  }

  #carriedBy(pod: Pod): readonly Group[] {
    const shape = this.#source.shapeOf(pod.spec);
    if (!isReadable(shape)) return [];
    const { required } = this.#wantedOf(pod, shape);
    return readArrangement(required, this.#ownerOf(pod), { tables: this.#tables, isRequired: true }).carries;
  }

  #add({ counter, floor }: Group, domain: number, delta: number): void {
    if (domain < 0) return;
    this.#ledger.add(counter, domain, delta);
    if (floor !== undefined) this.#ledger.add(floor, domain, delta);
  }

  #verdictOn(group: Group, state: NodeState): 'certain' | 'possible' | 'never' {
    const { filter } = group;
    if (filter === undefined) return 'certain';
    const ofGroup = this.#verdicts.get(group) ?? new WeakMap<NodeState, 'certain' | 'possible' | 'never'>();
    this.#verdicts.set(group, ofGroup);
    const known = ofGroup.get(state);
    if (known !== undefined) return known;
    const fresh = filter.verdictOn(state);
    ofGroup.set(state, fresh);
    return fresh;
  }
}

/** The reasons of a spread's domains to be open, as a ledger can undo them. */
const supportOf = (floor: FloorCounter): Pick<Tally, 'add'> => ({ add: (domain, delta) => floor.support(domain, delta) });
