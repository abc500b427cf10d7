import { eventKind, leaseKind } from '@karpenter/runtime';
import type { ResourceKind } from '@karpenter/runtime';

type Place = Pick<ResourceKind, 'group' | 'namespaced'>;

const core: Place = { group: '', namespaced: true };
const coreOfCluster: Place = { group: '', namespaced: false };
const ofCluster = (group: string): Place => ({ group, namespaced: false });
const inNamespace = (group: string): Place => ({ group, namespaced: true });

const v1 = (place: Place, kind: string, plural: string): ResourceKind => ({ ...place, version: 'v1', kind, plural });

/** Every kind that Karpenter reads or writes, beside those of its provider: what a client's table must hold. */
export const karpenterKinds: readonly ResourceKind[] = [
  v1(core, 'Pod', 'pods'),
  v1(core, 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  v1(coreOfCluster, 'PersistentVolume', 'persistentvolumes'),
  v1(core, 'PodTemplate', 'podtemplates'),
  v1(core, 'Service', 'services'),
  v1(core, 'ReplicationController', 'replicationcontrollers'),
  v1(coreOfCluster, 'Node', 'nodes'),
  v1(coreOfCluster, 'Namespace', 'namespaces'),
  v1(inNamespace('apps'), 'DaemonSet', 'daemonsets'),
  v1(inNamespace('apps'), 'Deployment', 'deployments'),
  v1(inNamespace('apps'), 'ReplicaSet', 'replicasets'),
  v1(inNamespace('apps'), 'StatefulSet', 'statefulsets'),
  v1(inNamespace('policy'), 'PodDisruptionBudget', 'poddisruptionbudgets'),
  v1(ofCluster('storage.k8s.io'), 'StorageClass', 'storageclasses'),
  v1(ofCluster('storage.k8s.io'), 'CSINode', 'csinodes'),
  v1(ofCluster('storage.k8s.io'), 'VolumeAttachment', 'volumeattachments'),
  v1(ofCluster('resource.k8s.io'), 'DeviceClass', 'deviceclasses'),
  v1(inNamespace('resource.k8s.io'), 'ResourceClaim', 'resourceclaims'),
  v1(inNamespace('resource.k8s.io'), 'ResourceClaimTemplate', 'resourceclaimtemplates'),
  v1(ofCluster('resource.k8s.io'), 'ResourceSlice', 'resourceslices'),
  v1(ofCluster('karpenter.sh'), 'NodePool', 'nodepools'),
  v1(ofCluster('karpenter.sh'), 'NodeClaim', 'nodeclaims'),
  { ...ofCluster('karpenter.sh'), version: 'v1alpha1', kind: 'NodeOverlay', plural: 'nodeoverlays' },
  { ...ofCluster('karpenter.sh'), version: 'v1alpha1', kind: 'RebalancePlan', plural: 'rebalanceplans' },
  { ...inNamespace('autoscaling.x-k8s.io'), version: 'v1beta1', kind: 'CapacityBuffer', plural: 'capacitybuffers' },
  { ...inNamespace('scheduling.x-k8s.io'), version: 'v1alpha1', kind: 'PodGroup', plural: 'podgroups' },
  eventKind,
  leaseKind,
];
