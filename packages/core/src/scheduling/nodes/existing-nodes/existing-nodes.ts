import { addAt, amountAt, compareText, idAt, itemAt, memoByKey } from '../../../base/index.ts';
import type { Steps } from '../../../base/index.ts';
import { daemonsExpectedOn, usageOfNode } from '../../../cluster/index.ts';
import type { Daemon, NodeView } from '../../../cluster/index.ts';
import { amountIn, firstUntolerated, firstUntoleratedPreference, sumResources } from '../../../kube/index.ts';
import { firstUnmet } from '../../../requirements/index.ts';
import type { PodClass, ResourceTable } from '../../pod-classes/pod-class.ts';
import { toleratesSoftTaints } from '../../pod-classes/node-term.ts';
import type { NodeTerm } from '../../pod-classes/node-term.ts';
import type { Slots } from '../node-slots.ts';
import { continues, startRun } from '../new-nodes/new-node.ts';
import type { IncomingPod, Run } from '../new-nodes/new-node.ts';
import { RoomyNodes, SharedVolumes, needsOn } from './roomy-nodes.ts';
import type { ResourceNeeds, RoomyList } from './roomy-nodes.ts';

/** Pods that one existing node takes. */
export interface NodeRun extends Run {
  readonly node: number;
}

/** What measuring free room needs besides the nodes. */
export interface RoomContext {
  readonly daemons: readonly Daemon[];
  readonly resources: ResourceTable;
  readonly slots: Slots;
}

const inOrder = (a: NodeView, b: NodeView): number => Number(b.isInitialized) - Number(a.isInitialized) || compareText(a.name, b.name);

/** Adding up a full node that was never seen before takes some tenths of a millisecond. */
const NODES_A_STEP = 16;

function* measuringRoom(nodes: readonly NodeView[], { daemons, resources: { names }, slots }: RoomContext): Steps<readonly Float64Array[]> {
  const columns = names.map(() => new Float64Array(nodes.length));
  for (const [index, node] of nodes.entries()) {
    const used = usageOfNode(node);
    const freeSlots = slots.names.length === 0 ? undefined : slots.freeOn(node);
    const expected = sumResources(daemonsExpectedOn(node, daemons).map(({ requests }) => requests));
    names.forEach((name, resource) => {
      const free = freeSlots?.[name] ?? amountIn(node.allocatable, name) - amountIn(used, name);
      itemAt(columns, resource)[index] = free > 0 ? Math.max(0, free - amountIn(expected, name)) : free;
    });
    if (index % NODES_A_STEP === 0) yield;
  }
  return columns;
}

const accepts = (node: NodeView, term: NodeTerm): boolean =>
  firstUntolerated(node.taints, term.tolerations) === undefined &&
  (toleratesSoftTaints(term) || firstUntoleratedPreference(node.taints, term.tolerations) === undefined) &&
  firstUnmet(term.requirements, node.labels) === undefined;

/** Which nodes go with which term, worked out once per term. */
const acceptance = (nodes: readonly NodeView[]): ((term: NodeTerm) => Uint8Array) =>
  memoByKey((term) => Uint8Array.from(nodes, (node) => Number(accepts(node, term))));

const PODS = 2;

/**
 * Nodes that exist or are on their way, as places: free room in one column per resource, and a log of placements for
 * `rollBack`.
 */
export class ExistingNodes {
  /** In the order in which they are tried: initialized ones first, then by name. */
  readonly nodes: readonly NodeView[];
  /** What was placed since the last `rollBack`. */
  readonly log: NodeRun[] = [];
  readonly #columns: readonly Float64Array[];
  readonly #numberOf: ReadonlyMap<string, number>;
  readonly #acceptedBy: (term: NodeTerm) => Uint8Array;
  readonly #roomy: RoomyNodes;
  readonly #shared: SharedVolumes;
  readonly #excluded: { readonly node: number; readonly pods: number }[] = [];

  /**
   * `nodes` in the order in which they are tried, resource → node → free room, and the claims that the pods of a node
   * have attached.
   */
  constructor(nodes: readonly NodeView[], columns: readonly Float64Array[], claimsOn: Slots['claimsOn']) {
    this.nodes = nodes;
    this.#columns = columns;
    this.#numberOf = new Map(nodes.map(({ name }, index) => [name, index]));
    this.#acceptedBy = acceptance(nodes);
    this.#shared = new SharedVolumes((number) => new Set(nodes.slice(number, number + 1).flatMap(claimsOn)));
    this.#roomy = new RoomyNodes(columns, nodes.length);
  }

  /** For how many resources and slots room is kept, on these nodes and on new ones. */
  get resourceCount(): number {
    return this.#columns.length;
  }

  /** Closes a node until the next `rollBack`, by leaving no room for even one pod. */
  exclude(name: string): void {
    const node = this.#numberOf.get(name);
    if (node === undefined) return;
    const pods = itemAt(this.#columns, PODS);
    this.#excluded.push({ node, pods: amountAt(pods, node) });
    pods[node] = -1;
  }

  /** Places up to `wanted` pods, each on the first node that takes it. Returns how many it placed. */
  place(incoming: IncomingPod, wanted: number): number {
    const accepted = this.#acceptedBy(incoming.term);
    let placed = 0;
    for (const node of this.#roomy.of(incoming.podClass)) {
      const count = accepted[node] === 0 ? 0 : this.roomOn(node, incoming.podClass, wanted - placed);
      if (count === 0) continue;
      this.put(incoming, node, count);
      placed += count;
      if (placed === wanted) break;
    }
    return placed;
  }

  /** Which of the nodes may have room for a pod of the class. */
  roomyAmong(nodes: readonly number[], podClass: PodClass): RoomyList {
    return this.#roomy.among(nodes, podClass);
  }

  /** Node → 1 where its labels and taints go with the term. */
  acceptedBy(term: NodeTerm): Uint8Array {
    return this.#acceptedBy(term);
  }

  /** Puts so many pods on a node that has room for them. */
  put(incoming: IncomingPod, node: number, count: number): void {
    this.#take(node, incoming.podClass, count);
    const last = this.log.at(-1);
    if (last?.node === node && continues(last, incoming)) last.count += count;
    else this.log.push({ ...startRun(incoming, count), node });
  }

  /** Returns to the snapshot; costs only what was done since. */
  rollBack(): void {
    for (const { node, podClass, count } of this.log) this.#take(node, podClass, -count);
    for (const { node, pods } of this.#excluded) itemAt(this.#columns, PODS)[node] = pods;
    this.log.length = 0;
    this.#excluded.length = 0;
  }

  /** For how many pods the node has room, at most `wanted`. */
  roomOn(node: number, podClass: PodClass, wanted: number): number {
    if (podClass.shared === undefined) return this.#roomFor(podClass, node, wanted);
    const first = needsOn(podClass, (claim) => this.#shared.isAttached(node, claim));
    if (this.#roomFor(first, node, 1) === 0) return 0;
    this.#shift(first, node, 1);
    const others = this.#roomFor(podClass, node, wanted - 1);
    this.#shift(first, node, -1);
    return 1 + others;
  }

  #roomFor({ resourceIds, amounts }: ResourceNeeds, node: number, wanted: number): number {
    let room = wanted;
    for (let i = 0; i < resourceIds.length && room > 0; i++) {
      const free = amountAt(itemAt(this.#columns, idAt(resourceIds, i)), node);
      const amount = amountAt(amounts, i);
      if (free < amount) return 0;
      room = Math.min(room, Math.floor(free / amount));
    }
    return room;
  }

  #take(node: number, podClass: PodClass, times: number): void {
    this.#shift(podClass, node, times);
    for (const each of podClass.shared ?? []) {
      addAt(itemAt(this.#columns, each.resource), node, -this.#shared.add(node, each, times));
    }
  }

  #shift({ resourceIds, amounts }: ResourceNeeds, node: number, times: number): void {
    for (let i = 0; i < resourceIds.length; i++) {
      addAt(itemAt(this.#columns, idAt(resourceIds, i)), node, -amountAt(amounts, i) * times);
    }
  }
}

/** The nodes of a snapshot as places, less those that are marked for deletion. */
export function* readingNodes(all: readonly NodeView[], context: RoomContext): Steps<ExistingNodes> {
  const nodes = all.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion).sort(inOrder);
  return new ExistingNodes(nodes, yield* measuringRoom(nodes, context), context.slots.claimsOn);
}
