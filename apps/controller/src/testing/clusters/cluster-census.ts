import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import type { TestCluster } from './test-cluster.ts';

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };
const nodes: KindRef<Node & ApiObject> = { kind: 'Node' };
const claims: KindRef<NodeClaim & ApiObject> = { kind: 'NodeClaim' };

/** How many there are of everything that one node is made of, on both sides. */
export interface Census {
  readonly running: number;
  readonly claims: number;
  readonly nodes: number;
  readonly vms: number;
  readonly nics: number;
  readonly disks: number;
}

export const podsOf = ({ local }: TestCluster, app = 'inflate'): readonly Pod[] =>
  local.list(pods, { namespace: 'default', labelSelector: `app=${app}` });

export const claimsOf = ({ local }: TestCluster): readonly NodeClaim[] => local.list(claims);

/** Karpenter's nodes, without those of the system pool. */
export const nodesOf = ({ local }: TestCluster): readonly Node[] => local.list(nodes, { labelSelector: 'karpenter.sh/nodepool' });

export const isRunning = ({ status, metadata }: Pod): boolean => status?.phase === 'Running' && metadata.deletionTimestamp === undefined;

export const censusOf = (cluster: TestCluster): Census => ({
  running: podsOf(cluster).filter(isRunning).length,
  claims: claimsOf(cluster).length,
  nodes: nodesOf(cluster).length,
  vms: cluster.arm.vms().length,
  nics: cluster.arm.nics().length,
  disks: cluster.arm.disks().length,
});

/** The census of a settled cluster with so many pods on so many nodes. */
export const settledCensus = (running: number, machines: number): Census => ({
  running,
  claims: machines,
  nodes: machines,
  vms: machines,
  nics: machines,
  disks: machines,
});
