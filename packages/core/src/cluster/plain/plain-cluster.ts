import type { NodePool } from '../../apis/index.ts';
import type { PlainInstanceType } from '../../catalog/index.ts';
import type {
  CSINode,
  DaemonSet,
  DeviceClass,
  Node,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  PodGroupObject,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  StorageClass,
} from '../../kube/index.ts';
import type { SelectingKind, SelectingObject } from '../pods/pod-selector.ts';

/** A cluster as plain JSON: objects as `kubectl get -o json` gives them under `items`, and sizes of machines. */
export interface PlainCluster {
  readonly nodePools: readonly NodePool[];
  /** Offered to each of the pools. */
  readonly instanceTypes: readonly PlainInstanceType[];
  /**
   * Those without `spec.nodeName` are pending, the others run on their nodes. Passed over: what has ended, and of the
   * pending those that are gated, being deleted, or of a DaemonSet.
   */
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly daemonSets?: readonly DaemonSet[];
  readonly podDisruptionBudgets?: readonly PodDisruptionBudget[];
  /** Of kubernetes-sigs/scheduler-plugins: how many pods of a group must have a place together. */
  readonly podGroups?: readonly PodGroupObject[];
  readonly namespaces?: readonly { readonly metadata: ObjectMeta }[];
  readonly persistentVolumeClaims?: readonly PersistentVolumeClaim[];
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly storageClasses?: readonly StorageClass[];
  /** How many volumes each node attaches; without its CSINode a node attaches any number. */
  readonly csiNodes?: readonly CSINode[];
  /** Devices, for pods with ResourceClaims. Without any of the four lists such pods are refused. */
  readonly deviceClasses?: readonly DeviceClass[];
  readonly resourceClaims?: readonly ResourceClaim[];
  readonly resourceClaimTemplates?: readonly ResourceClaimTemplate[];
  readonly resourceSlices?: readonly ResourceSlice[];
  /** Services, ReplicationControllers, ReplicaSets and StatefulSets: they count only for the policy's `defaultSpread`. */
  readonly selecting?: readonly (SelectingObject & { readonly kind: SelectingKind })[];
}
