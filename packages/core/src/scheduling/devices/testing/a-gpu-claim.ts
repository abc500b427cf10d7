import type { NodePool } from '../../../apis/index.ts';
import type { Device, DeviceConstraint, DeviceRequest, ExactDeviceRequest, ResourceClaim } from '../../../kube/index.ts';

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

/** Requests one device of the class `gpu`. */
export const gpuRequest = (name: string, exactly: Partial<ExactDeviceRequest> = {}): DeviceRequest => ({
  name,
  exactly: { deviceClassName: 'gpu', ...exactly },
});

/** The devices `gpu-0`, `gpu-1`, … */
export const someGpus = (count: number, traits: (index: number) => Partial<Device> = () => ({})): readonly Device[] =>
  Array.from({ length: count }, (_, index) => ({ name: `gpu-${index}`, ...traits(index) }));
