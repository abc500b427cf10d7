import type { KubeObject } from '../objects/kube-object.ts';

/** `coordination.k8s.io/v1` Lease, the parts that a leader election reads and writes. Times are MicroTime strings. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
