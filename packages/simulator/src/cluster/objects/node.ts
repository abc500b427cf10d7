import type { Condition, Taint } from '@karpenter/core';
import type { ResourceList } from '@karpenter/core/internal';
import type { KindRef, ApiObject } from '@karpenter/api-server';

/** Keys of the taints that Kubernetes itself puts on nodes. */
export const nodeTaints = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  /** What a cordon puts there. */
  unschedulable: 'node.kubernetes.io/unschedulable',
  /** Until the cloud controller has seen the node. */
  uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
} as const;

export interface NodeCondition extends Condition {
  readonly lastHeartbeatTime?: string;
}

export interface NodeStatus {
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly NodeCondition[];
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  readonly nodeInfo?: Readonly<Record<string, string>>;
  readonly phase?: string;
}

/** A v1 Node. */
export interface NodeObject extends ApiObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
  };
  readonly status?: NodeStatus;
}

/** A coordination.k8s.io/v1 Lease. */
export interface NodeLease extends ApiObject {
  readonly spec: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number; readonly renewTime?: string };
}

export const nodes: KindRef<NodeObject> = { kind: 'Node', apiVersion: 'v1' };
export const leases: KindRef<NodeLease> = { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1' };
