import { type ClusterSnapshot, type Command, proposeCommand, type SchedulingPolicy } from '@karpenter/core';
import { type Blocker, finish, planning, type Steps } from '@karpenter/core/internal';
import { blockerLabel } from './blocker-label.ts';
import { priceOfNode } from './node-rows.ts';
import { withoutBuffers } from './plan-summary.ts';
import { settle } from './settle.ts';
import { withoutNodes } from './without-nodes.ts';

/** One move of consolidation, after those before it. */
export interface Move {
  readonly method: string;
  readonly reason: string;
  /** Nodes that go. */
  readonly nodes: readonly string[];
  /** Instance types that come. */
  readonly replacements: readonly string[];
  readonly savingsPerHour: number;
}

/** Nodes that stay for the same reason. */
export interface HeldNodes {
  readonly heldBy: string;
  readonly nodes: readonly string[];
  readonly pricePerHour: number;
}

export interface SavingsAnswer {
  /** Karpenter's nodes whose price is known. */
  readonly pricePerHour: number;
  readonly moves: readonly Move[];
  /** After all moves. */
  readonly afterPerHour: number;
  readonly held: readonly HeldNodes[];
  /** What all pods would cost if every node of Karpenter's were planned again, whatever holds it. */
  readonly repacked: { readonly nodes: number; readonly pricePerHour: number; readonly unplacedPods: number };
}

/** What savings depend on, beside the cluster. */
export interface SavingsContext {
  readonly policy: SchedulingPolicy;
  readonly nowMs: number;
  /** Once true, no further move is searched for. */
  readonly shouldStop: () => boolean;
}

const MOST_MOVES = 200;

const moveOf = ({ method, reason, candidates, replacements, savingsPerHour }: Command): Move => ({
  ...{ method, reason, savingsPerHour },
  nodes: candidates.map(({ node }) => node.name).sort(),
  replacements: replacements.map(({ cheapest }) => cheapest.instanceType.name).sort(),
});

interface Course {
  readonly moves: readonly Move[];
  /** Why nodes stay once no move is left. */
  readonly blocked: ReadonlyMap<string, Blocker>;
}

/** Moves until there is none, each as if the one before had been carried out. Budgets count for each move by itself. */
const courseOf = (start: ClusterSnapshot, { policy, nowMs, shouldStop }: SavingsContext): Course => {
  const moves: Move[] = [];
  let snapshot = start;
  for (;;) {
    const { command, blocked } = proposeCommand({ snapshot, policy, nowMs, shouldStop });
    const next = command && settle(snapshot, command, policy);
    if (command === undefined || next === undefined || moves.length === MOST_MOVES) return { moves, blocked };
    moves.push(moveOf(command));
    snapshot = next;
  }
};

/** The nodes that stay, by their reasons; the dearest first. */
export const heldNodes = ({ nodes, ...snapshot }: ClusterSnapshot, blocked: Course['blocked']): readonly HeldNodes[] => {
  const held = nodes.filter(({ name }) => blocked.has(name));
  const groups = Map.groupBy(held, ({ name }) => {
    const blocker = blocked.get(name);
    return blocker === undefined ? '' : blockerLabel(blocker);
  });
  return [...groups]
    .map(([heldBy, members]) => ({
      heldBy,
      nodes: members.map(({ name }) => name).sort(),
      pricePerHour: members.reduce((sum, node) => sum + (priceOfNode({ ...snapshot, nodes }, node) ?? 0), 0),
    }))
    .sort((a, b) => b.pricePerHour - a.pricePerHour || (a.heldBy < b.heldBy ? -1 : 1));
};

/** The price of Karpenter's nodes that is known. */
export const clusterPrice = (snapshot: ClusterSnapshot): number =>
  snapshot.nodes.reduce((sum, node) => sum + (node.claim === undefined ? 0 : (priceOfNode(snapshot, node) ?? 0)), 0);

/** The cluster packed again from nothing: every node of Karpenter's counts as gone. */
export function* repacking(
  snapshot: ClusterSnapshot,
  { policy, nowMs }: Pick<SavingsContext, 'policy' | 'nowMs'>,
): Steps<SavingsAnswer['repacked']> {
  const own = new Set(snapshot.nodes.filter(({ claim }) => claim !== undefined).map(({ name }) => name));
  const plan = yield* planning(withoutNodes(snapshot, own), { ...policy, nowMs }, () => false);
  const { plannedNodes, pricePerHour, rejections } = withoutBuffers(plan, snapshot);
  return { nodes: plannedNodes.length, pricePerHour, unplacedPods: rejections.length };
}

/** What consolidation would save, move by move, and what keeps the rest. */
export const savingsAnswer = (snapshot: ClusterSnapshot, context: SavingsContext): SavingsAnswer => {
  const pricePerHour = clusterPrice(snapshot);
  const { moves, blocked } = courseOf(snapshot, context);
  return {
    pricePerHour,
    moves,
    afterPerHour: moves.reduce((price, { savingsPerHour }) => price - savingsPerHour, pricePerHour),
    held: heldNodes(snapshot, blocked),
    repacked: finish(repacking(snapshot, context)),
  };
};
