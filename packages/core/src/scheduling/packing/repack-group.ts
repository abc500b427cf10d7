import { identities, itemAt } from '../../base/index.ts';
import type { PodSet } from '../pod-classes/pod-class.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { nodeCost, priceOf } from './unit-prices.ts';
import { TermSets } from './pod-batch.ts';
import type { PodBatch } from './pod-batch.ts';
import { merge } from '../../requirements/index.ts';
import type { Requirement } from '../../requirements/index.ts';
import { internState, nextState } from '../nodes/node-state.ts';
import type { Topology } from '../topology/topology.ts';
import { isTiedToHost } from './host-rules.ts';
import type { NodeState, NodeTemplate } from '../nodes/node-model.ts';

/** What the packing of a group depends on. */
export interface RepackInput {
  readonly repackGroup: RepackGroup;
  readonly batches: readonly PodBatch[];
  /** How often a batch may be tried. */
  readonly tries: number;
  /** The other nodes; empty where limits do not read them. */
  readonly others: readonly NewNode[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Compares number by number; a list that ends first comes first. */
const byNumbers = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 || at === b.length ? a.length - b.length : itemAt(a, at) - itemAt(b, at);
};

/**
 * Packings of one question. The variants that a small plan is searched by mostly differ in one domain: what they put in
 * the others was packed before.
 */
export class RepackMemory {
  readonly #numberOf = identities();
  readonly #known = new Map<string, readonly NewNode[] | 'kept'>();

  constructor(podSets: readonly PodSet[]) {
    for (const { podClass } of podSets) this.#numberOf(podClass);
  }

  /**
   * The batches in the order of the question's pod groups, whatever order the variant placed them in: most variants
   * differ in nothing else.
   */
  inOrder(batches: readonly PodBatch[]): readonly PodBatch[] {
    const numbered = batches.map((batch) => ({ batch, numbers: [this.#numberOf(batch.podClass), ...this.#placingOf(batch)] }));
    return numbered.sort((a, b) => byNumbers(a.numbers, b.numbers)).map(({ batch }) => batch);
  }

  /** How the pods were placed, in numbers. */
  #placingOf({ terms, checks }: PodBatch): readonly number[] {
    return [...terms, ...(checks === undefined ? [] : [checks])].map((each) => this.#numberOf(each));
  }

  /**
   * Equal inputs have equal keys. Terms count by what nodes of the group become by them, and by which batches have the
   * same: pods that are led to the zone of the group pack there like all others.
   */
  keyOf({ repackGroup, batches, tries, others }: RepackInput): string {
    const { start, signature, newNodes } = repackGroup;
    const costs = [sum(newNodes.map(({ fit }) => priceOf(fit))), sum(newNodes.map(({ fit }) => nodeCost(fit)))];
    const sets = new TermSets();
    const pods = batches.map((batch) => {
      const { podClass, count, terms, checks } = batch;
      const placing = [...terms.map((term) => nextState(start, term) ?? term), ...(checks === undefined ? [] : [checks])];
      return `${podClass.id}x${count}:${placing.map((each) => this.#numberOf(each)).join('.')}:${sets.numberOf(batch)}`;
    });
    const around = others.map(({ fit }) => this.#numberOf(fit));
    return [this.#numberOf(start), tries, ...costs, pods.join(), around.join('.'), signature].join(' ');
  }

  /**
   * The nodes that replace those of the group: the group's own where none were cheaper. Undefined when it was not
   * packed before.
   */
  recall(key: string, newNodes: readonly NewNode[]): readonly NewNode[] | undefined {
    const known = this.#known.get(key);
    return known === 'kept' ? newNodes : known;
  }

  remember(key: string, packed: readonly NewNode[], newNodes: readonly NewNode[]): void {
    this.#known.set(key, packed === newNodes ? 'kept' : packed);
  }
}

/** New nodes of a pool whose pods may be exchanged freely; only the rules about hosts still matter. */
export interface RepackGroup {
  readonly newNodes: readonly NewNode[];
  /** The state of a node of the group before any pod. */
  readonly start: NodeState;
  /** What counts nodes of the group (see `Topology.signatureOf`); empty for nodes without topology constraints. */
  readonly signature: string;
  /** Whether a node of this state belongs to the group. */
  readonly isAllowed: (state: NodeState) => boolean;
}

/** Whether some pod must stay with the others on its node, or has devices there. */
const isTied = ({ runs }: NewNode): boolean =>
  runs.some(({ podClass, checks }) => podClass.devices !== undefined || (checks !== undefined && isTiedToHost(checks)));

const isFree = ({ runs }: NewNode): boolean => runs.every(({ podClass }) => podClass.topology === undefined);

/** The initial state with the domains settled that are settled in this one. */
const settledLike = ({ requirements }: NodeState, template: NodeTemplate, topologyKeys: readonly string[]): NodeState | undefined => {
  const settled = topologyKeys.flatMap((key): readonly (readonly [string, Requirement])[] => {
    const own = requirements.get(key);
    return own?.values.kind === 'in' && own.values.values.size === 1 ? [[key, own]] : [];
  });
  return internState(template, merge(template.requirements, new Map(settled)));
};

/** The groups of nodes with topology constraints: one for each signature. */
const groupsBySignature = (newNodes: readonly NewNode[], template: NodeTemplate, topology: Topology): readonly RepackGroup[] => {
  const repackGroups = new Map<string, RepackGroup & { readonly newNodes: NewNode[] }>();
  for (const newNode of newNodes) {
    const signature = topology.signatureOf(newNode.fit.state);
    const known = repackGroups.get(signature);
    const start = known?.start ?? settledLike(newNode.fit.state, template, topology.domains.keys);
    if (known !== undefined) known.newNodes.push(newNode);
    else if (start !== undefined) {
      repackGroups.set(signature, {
        start,
        signature,
        newNodes: [newNode],
        isAllowed: (state) => topology.signatureOf(state) === signature,
      });
    }
  }
  return [...repackGroups.values()];
};

const anywhere = (): boolean => true;

/**
 * The repack groups of a pool's new nodes. Nodes in none of them, such as those out of a reservation, stay as they
 * are. All nodes without topology constraints form one group; the others are grouped by equal domains and equal spreads
 * that count them, so that only counts per host can change.
 */
export const repackGroupsOf = (all: readonly NewNode[], template: NodeTemplate, topology: Topology | undefined): readonly RepackGroup[] => {
  const { initial } = template;
  // Repacking fills nodes to the brim, and few instance types are large enough for a full node.
  if (initial === undefined || template.prefersMinValues) return [];
  const newNodes = all.filter((newNode) => newNode.fit.state.template === template && !isTied(newNode));
  const free = newNodes.filter(isFree);
  const open: readonly RepackGroup[] = free.length === 0 ? [] : [{ newNodes: free, start: initial, signature: '', isAllowed: anywhere }];
  const others = newNodes.filter((newNode) => !isFree(newNode));
  return topology === undefined ? open : [...open, ...groupsBySignature(others, template, topology)];
};
