import type { ObjectCache } from '@karpenter/runtime';
import type { CapacityBuffer, NodeClaim, NodeOverlay, NodePool, RebalancePlan } from '../apis/index.ts';
import type { PodSelector } from '../cluster/index.ts';
import type {
  CSINode,
  Condition,
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
} from '../kube/index.ts';

export interface Namespace {
  readonly metadata: ObjectMeta;
}

/** What core reads of a provider's NodeClass: whether it is ready. */
export interface NodeClassObject {
  readonly metadata: ObjectMeta;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** What Karpenter needs of a list-watch cache of the runtime: reads, changes in order, and waiting for its own writes. */
export type FollowedCache<T> = Pick<ObjectCache<T>, 'get' | 'list' | 'subscribe' | 'hasSynced' | 'waitFor'>;

/** storage.k8s.io/v1: a volume that is, or should be, attached to a node. */
export interface VolumeAttachment {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly nodeName: string; readonly source: { readonly persistentVolumeName?: string } };
}

/** The kinds of device allocation (`resource.k8s.io/v1`). */
export interface DeviceCaches {
  readonly deviceClasses: FollowedCache<DeviceClass>;
  readonly resourceClaims: FollowedCache<ResourceClaim>;
  readonly resourceClaimTemplates: FollowedCache<ResourceClaimTemplate>;
  readonly resourceSlices: FollowedCache<ResourceSlice>;
}

/** The kinds that Karpenter follows. */
export interface Caches {
  readonly pods: FollowedCache<Pod>;
  readonly nodes: FollowedCache<Node>;
  readonly nodeClaims: FollowedCache<NodeClaim>;
  readonly nodePools: FollowedCache<NodePool>;
  /** Absent where NodeOverlays do not count (feature gate NodeOverlay). */
  readonly nodeOverlays?: FollowedCache<NodeOverlay>;
  /** Absent where CapacityBuffers do not count (feature gate CapacityBuffer). */
  readonly capacityBuffers?: FollowedCache<CapacityBuffer>;
  /** Absent where nobody may ask for a rebalance (feature gate RebalancePlan). */
  readonly rebalancePlans?: FollowedCache<RebalancePlan>;
  /** Absent where PodGroup objects are not read. */
  readonly podGroups?: FollowedCache<PodGroupObject>;
  readonly daemonSets: FollowedCache<DaemonSet>;
  readonly podDisruptionBudgets: FollowedCache<PodDisruptionBudget>;
  readonly namespaces: FollowedCache<Namespace>;
  /** What picks pods, by kind; absent where the policy has no `defaultSpread`. */
  readonly podSelectors?: readonly FollowedCache<PodSelector>[];
  readonly persistentVolumeClaims: FollowedCache<PersistentVolumeClaim>;
  readonly persistentVolumes: FollowedCache<PersistentVolume>;
  readonly storageClasses: FollowedCache<StorageClass>;
  readonly csiNodes: FollowedCache<CSINode>;
  /** Absent where pods' ResourceClaims are ignored. */
  readonly devices?: DeviceCaches;
  readonly volumeAttachments: FollowedCache<VolumeAttachment>;
  /** Kind → the provider's NodeClasses of that kind; one entry for each of `getSupportedNodeClasses`. */
  readonly nodeClasses: ReadonlyMap<string, FollowedCache<NodeClassObject>>;
}
