import type { Condition, ObjectMeta, ResourceList, Taint } from '../kube/index.ts';
import type { NodeClassRef } from './node-class-ref.ts';
import type { RequirementSpec } from './node-pool.ts';

/** karpenter.sh/v1 NodeClaim as plain JSON: one machine, from wanted to gone. Its spec never changes. */
export interface NodeClaim {
  readonly apiVersion: 'karpenter.sh/v1';
  readonly kind: 'NodeClaim';
  readonly metadata: ObjectMeta;
  readonly spec: NodeClaimSpec;
  readonly status?: NodeClaimStatus;
}

/** What a machine must be: requirements over labels, and how it is to be set up. Never changed once written. */
export interface NodeClaimSpec {
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  readonly requirements: readonly RequirementSpec[];
  readonly resources?: { readonly requests?: ResourceList };
  readonly nodeClassRef: NodeClassRef;
  readonly terminationGracePeriod?: string;
  readonly expireAfter?: string;
}

/** What became of the claim. Amounts are Kubernetes quantities. */
export interface NodeClaimStatus {
  readonly nodeName?: string;
  readonly providerID?: string;
  readonly imageID?: string;
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly Condition[];
  readonly lastPodEventTime?: string;
}

/** Types of the conditions of a NodeClaim. */
export const nodeClaimConditions = {
  launched: 'Launched',
  registered: 'Registered',
  initialized: 'Initialized',
  consolidatable: 'Consolidatable',
  drifted: 'Drifted',
  drained: 'Drained',
  volumesDetached: 'VolumesDetached',
  instanceTerminating: 'InstanceTerminating',
  consistentStateFound: 'ConsistentStateFound',
  disruptionReason: 'DisruptionReason',
  ready: 'Ready',
} as const;
