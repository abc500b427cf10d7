import { proposeCommand } from '@karpenter/core';
import { type NodesAnswer, nodesAnswer } from '../answer/node-rows.ts';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import type { SourceFlags } from './source-options.ts';
import type { World } from './world.ts';

export interface NodesFlags extends SourceFlags {
  readonly watch?: true;
  readonly pool?: string;
}

/** A cluster of thousands of nodes is not evaluated for longer. */
const SEARCH_MS = 2000;

/** The nodes as they are now. */
export const askNodes = async (cluster: OpenedCluster, { pool }: NodesFlags, { clock }: World): Promise<NodesAnswer> => {
  const snapshot = await cluster.snapshot();
  const pools = [...snapshot.nodePools.map(({ nodePool }) => nodePool.metadata.name), ...snapshot.nodes.map((node) => node.nodePoolName)];
  if (pool !== undefined && !pools.includes(pool)) throw new CommandError(COMMAND_EXIT.usage, `there is no NodePool ${pool}`);
  const nowMs = clock.now();
  const shouldStop = (): boolean => clock.now() - nowMs > SEARCH_MS;
  const { blocked, command } = proposeCommand({ snapshot, policy: cluster.policy, nowMs, shouldStop });
  const shown = pool === undefined ? snapshot : { ...snapshot, nodes: snapshot.nodes.filter(({ nodePoolName }) => nodePoolName === pool) };
  const createdAt = ({ name, claim }: (typeof snapshot.nodes)[number]): string | undefined =>
    (cluster.node(name)?.metadata ?? claim?.metadata)?.creationTimestamp;
  return nodesAnswer({ snapshot: shown, blocked, command, createdAt, nowMs });
};
