import { type ClusterSnapshot, defaultSchedulingPolicy, type Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNode, aNodePool, aPod, aSnapshot, pods, requesting } from '@karpenter/testkit';
import type { DashboardOptions } from '../serve/dashboard-server.ts';

/** A source whose cluster a test changes. */
export type ChangingSource = DashboardOptions['source'] & { cluster: ClusterSnapshot };

/** Pods of the Deployment `shop/NAME`. */
export const podsOfDeployment = (name: string, amount: number, cpuMillis: number): readonly Pod[] =>
  pods(amount, requesting({ cpuMillis, memoryBytes: 1024 ** 3 }), (pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      namespace: 'shop',
      labels: { 'pod-template-hash': 'abc' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-abc`, uid: name, controller: true }],
    },
  }));

/** A node of Karpenter's with these pods. */
export const ownNode = (name: string, bound: readonly Pod[]): NodeView => ({
  ...aNode({ name, nodePoolName: 'default', pods: bound }),
  claim: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name }, spec: { nodeClassRef: ref, requirements: [] } },
});
const ref = { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' };

/** Two nodes of one pool, three pods of a Deployment on the first, one pod that waits. */
export const aSource = (): ChangingSource => {
  const nodes = [ownNode('node-a', podsOfDeployment('web', 3, 1000)), ownNode('node-b', [])];
  return {
    cluster: aSnapshot({ nodes, nodePools: [aNodePool({ limits: { cpu: '16' } })], pending: [aPod(requesting({ cpuMillis: 99_000 }))] }),
    policy: defaultSchedulingPolicy,
    snapshot() {
      return this.cluster;
    },
    createdAt: () => '2026-01-01T00:00:00Z',
    isLeader: () => true,
    instanceTypes() {
      return Promise.resolve(this.cluster.nodePools[0]?.instanceTypes ?? []);
    },
  };
};
