import type { Node, Pod } from '@karpenter/core';
import type { KindRef, ApiObject, LocalApi } from '@karpenter/api-server';

const podKind: KindRef<Pod & ApiObject> = { kind: 'Pod', apiVersion: 'v1' };
const nodeKind: KindRef<Node & ApiObject> = { kind: 'Node', apiVersion: 'v1' };

const isUp = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True');

const isLeaving = ({ metadata, spec }: Node): boolean =>
  metadata.deletionTimestamp !== undefined || (spec?.taints ?? []).some(({ key }) => key === 'karpenter.sh/disrupted');

/** What the suite watches of a cluster, at one moment. */
export interface ClusterView {
  readonly nodes: readonly Node[];
  /** Ready, and not being deleted. */
  readonly upPods: readonly Pod[];
  readonly podCount: number;
  /** Closed to new pods, or going. */
  readonly leaving: number;
}

/** Reads the cluster. */
export const viewOf = (local: LocalApi): ClusterView => {
  const pods = local.list(podKind);
  const nodes = local.list(nodeKind);
  return { nodes, upPods: pods.filter(isUp), podCount: pods.length, leaving: nodes.filter(isLeaving).length };
};
