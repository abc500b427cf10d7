import { setTimeout } from 'node:timers/promises';
import { isConditionTrue, type Node, type NodeClaim, type NodePool, type Pod } from '@karpenter/core';
import type { ClusterConnection, KubeClient, KubeObject, Logger, ObjectCache, Selection } from '@karpenter/runtime';
import { createKubeClient, createObjectCache, createTransport, kindTable, systemClock } from '@karpenter/runtime';
import { type Sight, sightOf } from './screen/sight.ts';

const kinds = kindTable([
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
  { group: 'karpenter.sh', version: 'v1', kind: 'NodePool', plural: 'nodepools', namespaced: false },
  { group: 'karpenter.sh', version: 'v1', kind: 'NodeClaim', plural: 'nodeclaims', namespaced: false },
  { group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses', namespaced: false },
]);

/** The embedded cluster as the demo sees it: through the Kubernetes API, like anybody else. */
export interface FollowedCluster {
  readonly client: KubeClient;
  /** `prices`: NodeClaim name → dollars an hour. */
  sight(prices: ReadonlyMap<string, number>): Sight;
  /** Calls `listener` after every change of pods, nodes and claims. */
  onChange(listener: () => void): void;
  ready(signal: AbortSignal): Promise<void>;
  /** Resolves when every NodePool is Ready, or after half a minute. */
  poolsReady(signal: AbortSignal): Promise<void>;
}

const LONGEST_WAIT_MS = 30_000;
const CHECK_EVERY_MS = 50;

export const followCluster = (
  connection: ClusterConnection,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): FollowedCluster => {
  const clock = systemClock;
  const client = createKubeClient(createTransport(connection, { clock, userAgent: 'karpenter-demo' }), kinds);
  const follow = <T extends KubeObject>(kind: string, selection?: Selection): ObjectCache<T> => {
    const cache = createObjectCache<T>({ client, kind, clock, logger, ...(selection ? { selection } : {}) });
    void cache.run(signal);
    return cache;
  };
  const pods = follow<Pod & KubeObject>('Pod', { fieldSelector: 'metadata.namespace!=kube-system' });
  const nodes = follow<Node & KubeObject>('Node');
  const claims = follow<NodeClaim & KubeObject>('NodeClaim');
  const pools = follow<NodePool & KubeObject>('NodePool');
  const arePoolsReady = (): boolean => {
    const all = pools.list();
    return all.length > 0 && all.every((pool) => isConditionTrue(pool.status?.conditions, 'Ready'));
  };
  return {
    client,
    sight: (prices) => sightOf({ pods: pods.list(), nodes: nodes.list(), claims: claims.list(), prices, nowMs: clock.now() }),
    onChange(listener) {
      for (const cache of [pods, nodes, claims]) cache.subscribe(listener);
    },
    async ready(readySignal) {
      await Promise.all([pods, nodes, claims, pools].map((cache) => cache.waitForSync(readySignal)));
    },
    async poolsReady(readySignal) {
      const endMs = clock.now() + LONGEST_WAIT_MS;
      while (!arePoolsReady() && clock.now() < endMs) await setTimeout(CHECK_EVERY_MS, undefined, { signal: readySignal });
    },
  };
};
