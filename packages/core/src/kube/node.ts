import type { Condition, ObjectMeta, ResourceList } from './object-meta.ts';
import type { Taint } from './taint.ts';

/** A node as the API server gives it, less the fields that nothing here reads. Amounts are Kubernetes quantities. */
export interface Node {
  readonly apiVersion?: 'v1';
  readonly kind?: 'Node';
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly providerID?: string; readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    /** No kubelet of today states it. */
    readonly phase?: string;
    readonly nodeInfo?: { readonly kubeletVersion?: string };
  };
}
