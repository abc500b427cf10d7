import { firstRefusal } from '../../topology/checks.ts';
import type { Checks } from '../../topology/checks.ts';
import type { ClassTopology } from '../../topology/class-topology.ts';
import type { Topology } from '../../topology/topology.ts';
import type { Applicant } from '../drafts/draft.ts';
import type { ExistingNodes } from './existing-nodes.ts';

/** A pod of a class with topology that looks for a place. */
export interface Seeker {
  readonly applicant: Applicant;
  readonly checks: Checks;
  readonly gives: ClassTopology;
  /** Room for so many of the class is wanted in one place. */
  readonly seats: number;
}

/** Nodes with the same domains, in order; those before `at` have refused for good. */
interface Row {
  readonly nodes: readonly number[];
  readonly domainOf: (key: number) => number;
  at: number;
}

/** The existing nodes by their domains of some keys; worked out once per set of keys. */
export class NodeRows {
  readonly #existing: ExistingNodes;
  readonly #topology: Topology;
  readonly #known = new Map<string, readonly Omit<Row, 'at'>[]>();

  constructor(existing: ExistingNodes, topology: Topology) {
    this.#existing = existing;
    this.#topology = topology;
  }

  of(keys: readonly number[]): readonly Omit<Row, 'at'>[] {
    const text = keys.join();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const rows = new Map<string, { nodes: number[]; domainOf: Row['domainOf'] }>();
    this.#existing.nodes.forEach((node, number) => {
      const domains = keys.map((key) => this.#topology.domains.domainOfNode(node, key));
      const row = rows.get(domains.join());
      if (row !== undefined) row.nodes.push(number);
      else rows.set(domains.join(), { nodes: [number], domainOf: (key) => domains[keys.indexOf(key)] ?? 0 });
    });
    const fresh = [...rows.values()];
    this.#known.set(text, fresh);
    return fresh;
  }
}

/** A look over the existing nodes for pods of one class, one pod after the other: the first node that takes it. */
export class NodeSearch {
  readonly #existing: ExistingNodes;
  readonly #topology: Topology;
  readonly #seeker: Seeker;
  readonly #rows: readonly Row[];
  readonly #accepted: Uint8Array;

  constructor(existing: ExistingNodes, rows: NodeRows, { seeker, topology }: { readonly seeker: Seeker; readonly topology: Topology }) {
    this.#existing = existing;
    this.#topology = topology;
    this.#seeker = seeker;
    this.#rows = rows.of(seeker.checks.keys).map((row) => ({ ...row, at: 0 }));
    this.#accepted = existing.acceptedBy(seeker.applicant.rung);
  }

  placeOne(): boolean {
    let best: number | undefined;
    for (const row of this.#rows) {
      if (row.at >= row.nodes.length || firstRefusal(this.#seeker.checks.wide, row.domainOf) !== undefined) continue;
      const node = this.#firstIn(row);
      if (node !== undefined && (best === undefined || node < best)) best = node;
    }
    if (best === undefined) return false;
    this.#existing.put(this.#seeker.applicant, best, 1);
    this.#topology.placeOnNode(this.#seeker.gives, best, 1);
    return true;
  }

  #firstIn(row: Row): number | undefined {
    while (row.at < row.nodes.length) {
      const node = row.nodes[row.at];
      if (node !== undefined && this.#takes(node)) return node;
      row.at++;
    }
    return undefined;
  }

  #takes(node: number): boolean {
    const { applicant, checks, seats } = this.#seeker;
    return (
      this.#accepted[node] === 1 &&
      this.#existing.roomOn(node, applicant.podClass, seats) >= seats &&
      firstRefusal(checks.host, () => node) === undefined
    );
  }
}
