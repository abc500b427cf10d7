import type { NodePool } from '../../../apis/index.ts';
import type { DeviceConstraint, DeviceRequest, ResourceClaim } from '../../../kube/index.ts';

/** The driver whose GPUs the tests of devices claim. */
export const DRIVER = 'gpu.example.com';

/** A NodePool without requirements. */
export const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'example.com', kind: 'NodeClass', name: 'default' } } } },
};

export const claimOf = (
  name: string,
  requests: readonly DeviceRequest[],
  constraints: readonly DeviceConstraint[] = [],
): ResourceClaim => ({
  metadata: { name, namespace: 'default' },
  spec: { devices: { requests, constraints } },
});
