import { getOrMake, itemAt } from '../../../base/index.ts';
import { firstRefusal } from '../../topology/group.ts';
import type { Checks } from '../../topology/group.ts';
import type { ClassTopology } from '../../topology/class-topology.ts';
import type { Topology } from '../../topology/topology.ts';
import type { IncomingPod } from '../new-nodes/new-node.ts';
import type { ExistingNodes } from './existing-nodes.ts';
import type { RoomyList } from './roomy-nodes.ts';

/** An incoming pod with topology constraints, some of its preferences perhaps relaxed. */
export interface IncomingTopologyPod {
  readonly incoming: IncomingPod;
  readonly checks: Checks;
  readonly classTopology: ClassTopology;
}

/** An incoming pod with topology constraints that searches for one place with room for so many pods. */
export interface PlaceRequest extends IncomingTopologyPod {
  readonly podsAtOnce: number;
}

/** Existing nodes with the same domains, in order; those before `at` have refused for good. */
interface NodeCell {
  readonly nodes: readonly number[];
  readonly domainOf: (key: number) => number;
  at: number;
  /** Looked up after the first few refusals. */
  roomy?: RoomyList;
}

/** The existing nodes by their domains of some keys; worked out once per set of keys. */
export class NodeCells {
  readonly #existing: ExistingNodes;
  readonly #topology: Topology;
  readonly #known = new Map<string, readonly Pick<NodeCell, 'nodes' | 'domainOf'>[]>();

  constructor(existing: ExistingNodes, topology: Topology) {
    this.#existing = existing;
    this.#topology = topology;
  }

  of(keys: readonly number[]): readonly Pick<NodeCell, 'nodes' | 'domainOf'>[] {
    return getOrMake(this.#known, keys.join(), () => this.#cellsOf(keys));
  }

  #cellsOf(keys: readonly number[]): readonly Pick<NodeCell, 'nodes' | 'domainOf'>[] {
    const cells = new Map<string, { nodes: number[]; domainOf: NodeCell['domainOf'] }>();
    this.#existing.nodes.forEach((node, number) => {
      const domains = keys.map((key) => this.#topology.domains.domainOfNode(node, key));
      const cell = cells.get(domains.join());
      if (cell !== undefined) cell.nodes.push(number);
      else cells.set(domains.join(), { nodes: [number], domainOf: (key) => itemAt(domains, keys.indexOf(key)) });
    });
    return [...cells.values()];
  }
}

/** So many nodes are tried in turn before the full ones are skipped: most searches end sooner. */
const FEW = 4;

/** Searches the existing nodes for the pods of one class, one pod after the other: the first node that takes it. */
export class NodeSearch {
  readonly #existing: ExistingNodes;
  readonly #topology: Topology;
  readonly #placeRequest: PlaceRequest;
  readonly #cells: readonly NodeCell[];
  readonly #accepted: Uint8Array;

  constructor(
    existing: ExistingNodes,
    cells: NodeCells,
    { placeRequest, topology }: { readonly placeRequest: PlaceRequest; readonly topology: Topology },
  ) {
    this.#existing = existing;
    this.#topology = topology;
    this.#placeRequest = placeRequest;
    this.#cells = cells.of(placeRequest.checks.keys).map((cell) => ({ ...cell, at: 0 }));
    this.#accepted = existing.acceptedBy(placeRequest.incoming.term);
  }

  placeOne(): boolean {
    const node = this.findOne();
    if (node === undefined) return false;
    this.#existing.put(this.#placeRequest.incoming, node, 1);
    this.#topology.placeOnNode(this.#placeRequest.classTopology, node, 1);
    return true;
  }

  /** Where `placeOne` would place the pod. Changes nothing. */
  findOne(): number | undefined {
    let best: number | undefined;
    for (const cell of this.#cells) {
      if (cell.at >= cell.nodes.length || firstRefusal(this.#placeRequest.checks.wide, cell.domainOf) !== undefined) continue;
      const node = this.#firstIn(cell);
      if (node !== undefined && (best === undefined || node < best)) best = node;
    }
    return best;
  }

  #firstIn(cell: NodeCell): number | undefined {
    for (let refused = 0; ; refused++) {
      if (refused >= FEW) cell.at = this.#roomyIn(cell).next(cell.at);
      const node = cell.nodes[cell.at];
      if (node === undefined || this.#takes(node)) return node;
      cell.at++;
    }
  }

  #roomyIn(cell: NodeCell): RoomyList {
    return (cell.roomy ??= this.#existing.roomyAmong(cell.nodes, this.#placeRequest.incoming.podClass));
  }

  #takes(node: number): boolean {
    const { incoming, checks, podsAtOnce } = this.#placeRequest;
    return (
      this.#accepted[node] === 1 &&
      this.#existing.roomOn(node, incoming.podClass, podsAtOnce) >= podsAtOnce &&
      firstRefusal(checks.host, () => node) === undefined
    );
  }
}
