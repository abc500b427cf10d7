import type { Steps } from '../base/index.ts';
import { evictionLimits, reschedulablePods } from '../cluster/index.ts';
import type { EvictionLimits, NodePoolView, NodeView } from '../cluster/index.ts';
import type { Blocker } from './blocker.ts';
import type { Candidate } from './candidate.ts';
import type { DisruptionContext } from './disruption-context.ts';
import { disruptionCost } from './eviction-cost.ts';
import { nodeBlocker } from './node-blocker.ts';
import { nodePrice } from './node-price.ts';
import { podBlocker } from './pod-blocker.ts';

/** A node that some method may take, and what its pods have against a graceful one. */
export interface Surveyed extends Candidate {
  readonly podBlocker: Blocker | undefined;
  readonly isPriceKnown: boolean;
}

/** What all nodes of a pool come to, those that stay among them. */
export interface PoolTotals {
  readonly pricePerHour: number;
  readonly disruptionCost: number;
}

/** Every node of Karpenter's, told apart: those that may be given up, and why the others stay. */
export interface Survey {
  /** In order of names. */
  readonly candidates: readonly Surveyed[];
  readonly blocked: ReadonlyMap<string, Blocker>;
  readonly totals: ReadonlyMap<string, PoolTotals>;
}

interface Surroundings {
  readonly limits: EvictionLimits;
  readonly nowMs: number;
}

const surveyedNode = (node: NodeView, nodePool: NodePoolView, { limits, nowMs }: Surroundings): Surveyed => {
  const pods = reschedulablePods(node, limits, nowMs);
  const price = nodePrice(node, nodePool.instanceTypes);
  return {
    node,
    nodePool,
    reschedulablePods: pods,
    pricePerHour: price ?? 0,
    isPriceKnown: price !== undefined,
    disruptionCost: disruptionCost(pods),
    podBlocker: podBlocker(node, limits, nowMs),
  };
};

const totalWith = (before: PoolTotals | undefined, { pricePerHour, disruptionCost: cost }: Surveyed): PoolTotals => ({
  pricePerHour: (before?.pricePerHour ?? 0) + pricePerHour,
  disruptionCost: (before?.disruptionCost ?? 0) + cost,
});

/** Looking at so many nodes full of pods takes about a millisecond. */
const NODES_A_STEP = 16;

/** Looks at every node once. */
export function* surveying({ snapshot, nowMs }: DisruptionContext): Steps<Survey> {
  const pools = new Map(snapshot.nodePools.map((pool) => [pool.nodePool.metadata.name, pool]));
  const around: Surroundings = { limits: evictionLimits(snapshot.podDisruptionBudgets), nowMs };
  const candidates: Surveyed[] = [];
  const blocked = new Map<string, Blocker>();
  const totals = new Map<string, PoolTotals>();
  for (const [index, node] of snapshot.nodes.entries()) {
    if (index % NODES_A_STEP === 0) yield;
    if (node.claim === undefined) continue;
    const pool = pools.get(node.nodePoolName ?? '');
    const blocker = nodeBlocker(node, pool, nowMs);
    if (blocker !== undefined) blocked.set(node.name, blocker);
    if (pool === undefined) continue;
    const surveyed = surveyedNode(node, pool, around);
    totals.set(pool.nodePool.metadata.name, totalWith(totals.get(pool.nodePool.metadata.name), surveyed));
    if (blocker === undefined) candidates.push(surveyed);
  }
  return { candidates: candidates.sort((a, b) => (a.node.name < b.node.name ? -1 : 1)), blocked, totals };
}
