import type { NodePool } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { consolidatableAtMs, consolidateAfterMs, readingBudgets, reschedulablePods } from '../../cluster/index.ts';
import type { EvictionLimits, NodePoolView, NodeView } from '../../cluster/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { disruptionCost, nodePrice } from '../candidates/candidate.ts';
import { nodeBlocker, podBlocker } from '../blockers/node-blocker.ts';

/** A node that some method may take, and what blocks the methods that respect its pods. */
export interface DisruptionCandidate extends Candidate {
  readonly podBlocker: Blocker | undefined;
  readonly isPriceKnown: boolean;
  /** From when on a pass counts its pods as settled (`consolidateAfter`); epoch ms. Infinity: never. */
  readonly settledFromMs: number;
  readonly isSettled: boolean;
}

/** Totals over all nodes of a pool, blocked ones included. */
export interface PoolTotals {
  readonly pricePerHour: number;
  readonly disruptionCost: number;
}

/** Karpenter's nodes: the candidates, and why the others stay. */
export interface Survey {
  /** In order of names. */
  readonly candidates: readonly DisruptionCandidate[];
  readonly blocked: ReadonlyMap<string, Blocker>;
  readonly totals: ReadonlyMap<string, PoolTotals>;
}

interface SurveyFacts {
  readonly context: DisruptionContext;
  readonly limits: EvictionLimits;
}

const surveyNode = (node: NodeView, nodePool: NodePoolView, { context, limits }: SurveyFacts): DisruptionCandidate => {
  const { nowMs, policy } = context;
  const { nodePricePerHour = 0 } = policy;
  const settledFromMs = settleTimeOf(node, nodePool.nodePool, context);
  const pods = reschedulablePods(node, limits, nowMs);
  const price = nodePrice(node, nodePool.instanceTypes);
  return {
    node,
    nodePool,
    reschedulablePods: pods,
    pricePerHour: price === undefined ? 0 : price + nodePricePerHour,
    isPriceKnown: price !== undefined,
    disruptionCost: disruptionCost(pods),
    podBlocker: podBlocker(node, limits, nowMs),
    settledFromMs,
    isSettled: settledFromMs <= nowMs,
  };
};

const totalWith = (before: PoolTotals | undefined, { pricePerHour, disruptionCost: cost }: DisruptionCandidate): PoolTotals => ({
  pricePerHour: (before?.pricePerHour ?? 0) + pricePerHour,
  disruptionCost: (before?.disruptionCost ?? 0) + cost,
});

/**
 * From when on a pass counts the pods of the node as settled; epoch ms. Earlier than `consolidatableAtMs` by
 * `planAheadMs`, at most half of `consolidateAfter`. Infinity where the node has no claim.
 */
export const settleTimeOf = (
  node: NodeView,
  nodePool: NodePool,
  { lastPodEventMs, planAheadMs = 0 }: Pick<DisruptionContext, 'lastPodEventMs' | 'planAheadMs'>,
): number => {
  if (node.claim === undefined) return Number.POSITIVE_INFINITY;
  const changes = { claim: node.claim, lastPodEventMs: lastPodEventMs?.(node.name) };
  return consolidatableAtMs(changes, nodePool) - Math.min(planAheadMs, consolidateAfterMs(nodePool) / 2);
};

/** Evaluating so many nodes full of pods takes about a millisecond. */
const NODES_A_STEP = 16;
/** Beyond so many budgets one node may take milliseconds: its pods are compared with those of their namespace. */
const FEW_BUDGETS = 64;

/** Evaluates every node once. */
export function* surveying(context: DisruptionContext): Steps<Survey> {
  const { snapshot, nowMs } = context;
  const pools = new Map(snapshot.nodePools.map((pool) => [pool.nodePool.metadata.name, pool]));
  const limits = yield* readingBudgets(snapshot.podDisruptionBudgets, snapshot.nodes);
  const nodesAStep = snapshot.podDisruptionBudgets.length > FEW_BUDGETS ? 1 : NODES_A_STEP;
  const candidates: DisruptionCandidate[] = [];
  const blocked = new Map<string, Blocker>();
  const totals = new Map<string, PoolTotals>();
  for (const [index, node] of snapshot.nodes.entries()) {
    if (index % nodesAStep === 0) yield;
    if (node.claim === undefined) continue;
    const pool = pools.get(node.nodePoolName ?? '');
    const blocker = nodeBlocker(node, pool, nowMs);
    if (blocker !== undefined) blocked.set(node.name, blocker);
    if (pool === undefined) continue;
    const surveyed = surveyNode(node, pool, { context, limits });
    totals.set(pool.nodePool.metadata.name, totalWith(totals.get(pool.nodePool.metadata.name), surveyed));
    if (blocker === undefined) candidates.push(surveyed);
  }
  return { candidates: candidates.sort((a, b) => compareText(a.node.name, b.node.name)), blocked, totals };
}
