import type { Taint } from '../kube/index.ts';

/**
 * The exact strings by which clusters, dashboards and policies know Karpenter. Source: the original's
 * `pkg/apis/v1/labels.go`.
 */
export const GROUP = 'karpenter.sh';

/** Labels of nodes and machines that Karpenter reads or sets. */
export const labels = {
  nodePool: 'karpenter.sh/nodepool',
  initialized: 'karpenter.sh/initialized',
  registered: 'karpenter.sh/registered',
  doNotSyncTaints: 'karpenter.sh/do-not-sync-taints',
  capacityType: 'karpenter.sh/capacity-type',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  hostname: 'kubernetes.io/hostname',
  windowsBuild: 'node.kubernetes.io/windows-build',
  excludeBalancers: 'node.kubernetes.io/exclude-from-external-load-balancers',
  /** On pods: the group that they are placed with. The name is that of kubernetes-sigs/scheduler-plugins. */
  podGroup: 'scheduling.x-k8s.io/pod-group',
} as const;

/**
 * Annotations that Karpenter reads or sets. `terminationTimestamp`: RFC 3339, the moment at which a machine is ended by
 * force.
 */
export const annotations = {
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  nodePoolHash: 'karpenter.sh/nodepool-hash',
  nodePoolHashVersion: 'karpenter.sh/nodepool-hash-version',
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  minValuesRelaxed: 'karpenter.sh/nodeclaim-min-values-relaxed',
  priceOverlayApplied: 'karpenter.sh/price-overlay-applied',
  capacityOverlayApplied: 'karpenter.sh/capacity-overlay-applied',
  /** Drivers, separated by commas, whose devices the pods of the machine wait for. */
  requestedDeviceDrivers: 'karpenter.sh/requested-dra-drivers',
  bufferFakePod: 'karpenter.sh/capacity-buffer-fake-pod',
  bufferName: 'karpenter.sh/capacity-buffer-name',
  bufferNamespace: 'karpenter.sh/capacity-buffer-namespace',
  bufferSchedule: 'karpenter.sh/capacity-buffer-schedule',
  bufferDuration: 'karpenter.sh/capacity-buffer-duration',
  bufferTimeZone: 'karpenter.sh/capacity-buffer-time-zone',
  /** On pods of a group: how many of it must have a place together. */
  podGroupMinMember: 'karpenter.sh/pod-group-min-member',
} as const;

/** Finalizer on Nodes and NodeClaims: nothing goes before its machine has been drained and deleted. */
export const TERMINATION_FINALIZER = 'karpenter.sh/termination';

/** The values of the label `karpenter.sh/capacity-type` that Karpenter knows. */
export const capacityTypes = { spot: 'spot', onDemand: 'on-demand', reserved: 'reserved' } as const;
/** One of the values of `capacityTypes`. */
export type CapacityType = (typeof capacityTypes)[keyof typeof capacityTypes];

/** On a node that is about to be deleted: nothing new is scheduled there. */
export const disruptedTaint: Taint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };

/** On a machine until Karpenter has recognised its node: nothing runs before labels and taints are right. */
export const unregisteredTaint: Taint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };
