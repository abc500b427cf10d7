import { createObjectCache, dropManagedFields } from '@karpenter/runtime';
import type { KubeObject, ObjectCache, ObjectCacheOptions } from '@karpenter/runtime';
import type { CapacityBuffer, NodeClaim, NodeOverlay, NodePool, RebalancePlan } from '../../apis/index.ts';
import { podSelectorOf, selectingKinds } from '../../cluster/index.ts';
import type { PodSelector, SelectingObject } from '../../cluster/index.ts';
import type { NodeClassKind } from '../../cloudprovider/index.ts';
import type {
  DaemonSet,
  DeviceClass,
  Node,
  Pod,
  PodDisruptionBudget,
  PodGroupObject,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '../../kube/index.ts';
import type { Caches, DeviceCaches, Namespace, NodeClassObject, VolumeAttachment } from '../../ports/index.ts';
import { nodeProjection } from '../projections/node-projection.ts';
import { podProjection } from '../projections/pod-projection.ts';
import { storageProjection } from '../projections/storage-projection.ts';

/** How the cluster is reached. */
export type CacheSource = Pick<ObjectCacheOptions<never, never>, 'client' | 'clock' | 'logger'>;

/** One list-watch cache for each kind that Karpenter follows. */
export interface FollowedKinds {
  readonly caches: Caches;
  /** The same caches, for the manager to run. */
  readonly all: readonly ObjectCache<unknown>[];
  /** Those that keep their objects as the API server gave them, but for what nobody reads of nodes. */
  readonly whole: readonly ObjectCache<KubeObject>[];
}

/** Served from Kubernetes 1.34 on. */
type DeviceKind = 'DeviceClass' | 'ResourceClaim' | 'ResourceClaimTemplate' | 'ResourceSlice';

/** Kinds that the API server need not serve: while it does not, they count as having no objects. */
type OptionalKind = 'NodeOverlay' | 'CapacityBuffer' | 'RebalancePlan' | 'PodGroup' | DeviceKind;

/** Kinds that are followed only where they count. */
export interface FollowChoice {
  readonly overlays?: boolean;
  readonly buffers?: boolean;
  readonly rebalancePlans?: boolean;
  readonly podGroups?: boolean;
  /** DeviceClasses, ResourceClaims, ResourceClaimTemplates and ResourceSlices. */
  readonly devices?: boolean;
  /** Services, ReplicationControllers, ReplicaSets and StatefulSets: what they pick pods by, and nothing else of them. */
  readonly podSelectors?: boolean;
}

const followPodSelectors = (source: CacheSource): readonly ObjectCache<PodSelector>[] =>
  selectingKinds.map((kind) =>
    createObjectCache<KubeObject & SelectingObject, PodSelector>({ ...source, kind, transform: (object) => podSelectorOf(kind, object) }),
  );

type FollowOptional = <T>(kind: OptionalKind) => ObjectCache<T>;

const followDevices = (follow: FollowOptional): DeviceCaches => ({
  deviceClasses: follow<DeviceClass>('DeviceClass'),
  resourceClaims: follow<ResourceClaim>('ResourceClaim'),
  resourceClaimTemplates: follow<ResourceClaimTemplate>('ResourceClaimTemplate'),
  resourceSlices: follow<ResourceSlice>('ResourceSlice'),
});

type SwitchedCache = 'nodeOverlays' | 'capacityBuffers' | 'rebalancePlans' | 'podGroups' | 'devices';

/** The kinds that only some installations follow. */
const switchedKinds = (choice: FollowChoice, follow: FollowOptional): Pick<Caches, SwitchedCache> => ({
  ...(choice.overlays === true && { nodeOverlays: follow<NodeOverlay>('NodeOverlay') }),
  ...(choice.buffers === true && { capacityBuffers: follow<CapacityBuffer>('CapacityBuffer') }),
  ...(choice.rebalancePlans === true && { rebalancePlans: follow<RebalancePlan>('RebalancePlan') }),
  ...(choice.podGroups === true && { podGroups: follow<PodGroupObject>('PodGroup') }),
  ...(choice.devices === true && { devices: followDevices(follow) }),
});

/** Makes the caches; nothing is read until they run. */
export const followKinds = (source: CacheSource, nodeClassKinds: readonly NodeClassKind[], choice: FollowChoice = {}): FollowedKinds => {
  const { podSelectors = false } = choice;
  const whole: ObjectCache<KubeObject>[] = [];
  const keep = <T>(cache: ObjectCache<KubeObject & T>): ObjectCache<T> => {
    whole.push(cache);
    return cache;
  };
  const follow = <T>(kind: string, transform = dropManagedFields<KubeObject & T>): ObjectCache<T> =>
    keep<T>(createObjectCache<KubeObject & T>({ ...source, kind, transform }));
  /** A kind that may be absent. */
  const followOptional = <T>(kind: OptionalKind): ObjectCache<T> =>
    keep<T>(createObjectCache<KubeObject & T>({ ...source, kind, isOptional: kind === 'PodGroup' ? 'usually-absent' : true }));
  const projected: ObjectCache<unknown>[] = [];
  const followLess = <T>(kind: string, transform: (object: T) => T): ObjectCache<T> => {
    const cache = createObjectCache<KubeObject & T, T>({ ...source, kind, transform });
    projected.push(cache);
    return cache;
  };
  const pods = createObjectCache<KubeObject & Pod, Pod>({ ...source, kind: 'Pod', transform: podProjection() });
  const selectors = podSelectors ? followPodSelectors(source) : [];
  const caches: Caches = {
    pods,
    nodes: follow<Node>('Node', nodeProjection),
    nodeClaims: follow<NodeClaim>('NodeClaim'),
    nodePools: follow<NodePool>('NodePool'),
    ...switchedKinds(choice, followOptional),
    daemonSets: follow<DaemonSet>('DaemonSet'),
    podDisruptionBudgets: follow<PodDisruptionBudget>('PodDisruptionBudget'),
    namespaces: follow<Namespace>('Namespace'),
    persistentVolumeClaims: followLess('PersistentVolumeClaim', storageProjection.claim),
    persistentVolumes: followLess('PersistentVolume', storageProjection.volume),
    storageClasses: followLess('StorageClass', storageProjection.storageClass),
    csiNodes: followLess('CSINode', storageProjection.csiNode),
    ...(podSelectors ? { podSelectors: selectors } : {}),
    volumeAttachments: follow<VolumeAttachment>('VolumeAttachment'),
    nodeClasses: new Map(nodeClassKinds.map(({ kind }) => [kind, follow<NodeClassObject>(kind)])),
  };
  return { caches, all: [pods, ...projected, ...selectors, ...whole], whole };
};
