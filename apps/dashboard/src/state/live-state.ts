import type { ClusterSnapshot, SchedulingPolicy } from '@karpenter/core';
import { type Blocker, type Decision, isDaemonPod, type NodeView } from '@karpenter/core/internal';
import type { DashboardState, NodeTile, Totals } from './dashboard-state.ts';
import { DecisionLog } from './decision-log.ts';
import { NodeTiles } from './node-tiles.ts';
import { PendingPods } from './pending-pods.ts';
import { PoolRows } from './pool-rows.ts';
import { PriceHistory } from './price-history.ts';

/** What the dashboard reads of the controller that serves it. */
export interface DashboardSource {
  readonly policy: SchedulingPolicy;
  readonly snapshot: () => ClusterSnapshot;
  /** When the Node, or its NodeClaim, was created, as Kubernetes writes it. */
  readonly createdAt: (node: NodeView) => string | undefined;
  readonly isLeader: () => boolean;
}

const fillOf = (tiles: readonly NodeTile[], resource: 'cpu' | 'memory'): number => {
  const requested = tiles.reduce((sum, tile) => sum + tile[resource].requested, 0);
  const allocatable = tiles.reduce((sum, tile) => sum + tile[resource].allocatable, 0);
  return allocatable === 0 ? 0 : requested / allocatable;
};

const totalsOf = ({ nodes, pendingPods }: ClusterSnapshot, tiles: readonly NodeTile[]): Totals => {
  const own = tiles.filter(({ nodePool }) => nodePool !== undefined);
  return {
    nodes: tiles.length,
    pods: nodes.reduce((sum, { pods }) => sum + pods.reduce((bound, pod) => bound + (isDaemonPod(pod) ? 0 : 1), 0), 0),
    pendingPods: pendingPods.length,
    cpuShare: fillOf(tiles, 'cpu'),
    memoryShare: fillOf(tiles, 'memory'),
    pricePerHour: own.reduce((sum, { pricePerHour = 0 }) => sum + pricePerHour, 0),
    unknownPrices: own.filter(({ pricePerHour }) => pricePerHour === undefined).length,
  };
};

/** What the page shows, made from snapshots and from the decisions as they are reported. */
export class LiveState {
  readonly #source: DashboardSource;
  readonly #blockers = new Map<string, Blocker>();
  readonly #decisions = new DecisionLog();
  readonly #pending = new PendingPods();
  readonly #prices = new PriceHistory();
  readonly #tiles: NodeTiles;
  readonly #pools: PoolRows;

  constructor(source: DashboardSource) {
    this.#source = source;
    this.#tiles = new NodeTiles({ blockers: this.#blockers, createdAt: source.createdAt });
    this.#pools = new PoolRows(source.policy.labelCatalog);
  }

  /** Takes in a decision; cheap. */
  note(decision: Decision, atMs: number): void {
    this.#decisions.note(decision, atMs);
    if (decision.kind === 'plan-computed') this.#pending.note(decision.plan.rejections);
    if (decision.kind !== 'nodes-kept') return;
    this.#blockers.clear();
    for (const { node, blocker } of decision.kept) this.#blockers.set(node.name, blocker);
  }

  /** Everything as of now. Parts that did not change are the same objects as before. */
  read(nowMs: number): DashboardState {
    const snapshot = this.#source.snapshot();
    const nodes = this.#tiles.of(snapshot);
    const totals = totalsOf(snapshot, nodes);
    this.#prices.add({ atMs: nowMs, pricePerHour: totals.pricePerHour, nodes: totals.nodes });
    return {
      isLeader: this.#source.isLeader(),
      totals,
      nodes,
      pools: this.#pools.of(snapshot.nodePools, nodes),
      pending: this.#pending.groups(snapshot.pendingPods),
      decisions: this.#decisions.latest(),
      prices: this.#prices.points(),
    };
  }
}
