import { nodeRow } from '@karpenter/cli/answers';
import { type ClusterSnapshot, epochMsOf } from '@karpenter/core';
import { type Blocker, type NodePoolView, type NodeView, podRequests } from '@karpenter/core/internal';
import type { NodeTile } from './dashboard-state.ts';

/** More slices of a tile cannot be distinguished. */
const MOST_SHARES = 24;

const sharesOf = ({ pods, allocatable }: NodeView, resource: string): readonly number[] => {
  const whole = allocatable[resource] ?? 0;
  if (whole === 0) return [];
  const shares = pods.map((pod) => Math.round((1000 * (podRequests(pod)[resource] ?? 0)) / whole)).filter((share) => share > 0);
  const largest = shares.sort((a, b) => b - a).slice(0, MOST_SHARES);
  const rest = shares.slice(MOST_SHARES).reduce((sum, share) => sum + share, 0);
  return rest === 0 ? largest : [...largest, rest];
};

interface KnownTile {
  readonly pool: NodePoolView['instanceTypes'] | undefined;
  readonly blocker: Blocker | undefined;
  readonly tile: NodeTile;
}

/** What tiles are made of, beside the snapshot. */
export interface TileFacts {
  /** Node name → why the last pass of disruption left it. */
  readonly blockers: ReadonlyMap<string, Blocker>;
  readonly createdAt: (node: NodeView) => string | undefined;
}

/** Makes tiles, and remembers them: a node that has not changed since the last snapshot costs one read. */
export class NodeTiles {
  readonly #known = new WeakMap<NodeView, KnownTile>();
  readonly #facts: TileFacts;

  constructor(facts: TileFacts) {
    this.#facts = facts;
  }

  of(snapshot: ClusterSnapshot): readonly NodeTile[] {
    const types = new Map(snapshot.nodePools.map(({ nodePool, instanceTypes }) => [nodePool.metadata.name, instanceTypes]));
    return snapshot.nodes.map((node) => {
      const pool = types.get(node.nodePoolName ?? '');
      const blocker = this.#facts.blockers.get(node.name);
      const known = this.#known.get(node);
      if (known?.pool === pool && known?.blocker === blocker && known !== undefined) return known.tile;
      const tile = this.#make(node, snapshot);
      this.#known.set(node, { pool, blocker, tile });
      return tile;
    });
  }

  #make(node: NodeView, snapshot: ClusterSnapshot): NodeTile {
    const { blockers, createdAt } = this.#facts;
    const createdAtMs = epochMsOf(createdAt(node));
    const { ageSeconds: _, ...row } = nodeRow(
      { snapshot, blocked: blockers, command: undefined, createdAt: () => undefined, nowMs: 0 },
      node,
    );
    return {
      ...row,
      ...(createdAtMs === undefined ? {} : { createdAtMs }),
      cpuShares: sharesOf(node, 'cpu'),
      memoryShares: sharesOf(node, 'memory'),
    };
  }
}
