import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import type { RealCluster } from '@karpenter/simulator/real-cluster';

/** What must stay when one controller takes a cluster over from another: names, each list in order. */
export interface TakeoverState {
  readonly claims: readonly string[];
  readonly machines: readonly string[];
  readonly running: readonly string[];
  /** Claims with the condition `Drifted`. */
  readonly drifted: readonly string[];
}

const isTrue = (claim: NodeClaim, wanted: string): boolean =>
  (claim.status?.conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');

/** Reads both sides. */
export const stateOf = async ({ client, arm }: RealCluster): Promise<TakeoverState> => {
  const claims = (await client.list<NodeClaim & KubeObject>('NodeClaim')).items;
  const pods = (await client.list<Pod & KubeObject>('Pod', { namespace: 'default' })).items;
  const running = pods.filter(({ status, metadata }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined);
  return {
    claims: claims.map(({ metadata }) => metadata.name).sort(),
    machines: arm
      .vms()
      .map(({ providerId }) => providerId)
      .sort(),
    running: running.map(({ metadata, spec }) => `${metadata.name} on ${spec.nodeName ?? ''}`).sort(),
    drifted: claims.filter((claim) => isTrue(claim, 'Drifted')).map(({ metadata }) => metadata.name),
  };
};

/** How many pods run on how many machines, each with its claim, node, and initialized. */
export const isSettled = async (cluster: RealCluster, pods: number, machines: number): Promise<boolean> => {
  const { claims, running, machines: vms } = await stateOf(cluster);
  const nodes = (await cluster.client.list<Node & KubeObject>('Node')).items;
  const ready = (await cluster.client.list<NodeClaim & KubeObject>('NodeClaim')).items.filter((claim) => isTrue(claim, 'Initialized'));
  const isEven = [claims, vms, nodes, ready, cluster.arm.nics()].every(({ length }) => length === machines);
  return isEven && running.length === pods;
};

/** POSTs that only ask. */
const READS = /^(Authority_Token|Resources_Query)$/;

/** Azure's own name of each call that changes something, from the request of this number on → how often. */
export const writesSince = ({ arm }: RealCluster, first: number): Readonly<Record<string, number>> => {
  const calls = arm.requests.all().slice(first);
  const writes = calls.filter(({ method, operation }) => method !== 'GET' && !READS.test(operation));
  return Object.fromEntries([...Map.groupBy(writes, ({ operation }) => operation)].map(([operation, all]) => [operation, all.length]));
};
