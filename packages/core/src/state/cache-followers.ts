import { createObjectCache, dropManagedFields, eventKind, leaseKind } from '@karpenter/runtime';
import type { KubeObject, ObjectCache, ObjectCacheOptions, ResourceKind } from '@karpenter/runtime';
import {
  deviceViewOf,
  driversWithPools,
  ownerNodesOf,
  podSelectorOf,
  selectingKinds,
  storageViewOf,
  volumeLimitsOf,
} from '../cluster/index.ts';
import type { DeviceView, NodeView, PodSelector, SelectingObject, StorageView } from '../cluster/index.ts';
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
} from '../kube/index.ts';
import { addToGroup } from '../base/index.ts';
import type { Caches, DeviceCaches, FollowedCache, Namespace, NodeClassObject, VolumeAttachment } from '../ports/index.ts';
import type { CapacityBuffer, NodeClaim, NodeOverlay, NodePool, RebalancePlan } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import type { ObjectGuard } from './object-guard.ts';
import { nodeProjection, podProjection, storageProjection } from './projections.ts';

/** Node → the slices that are its own. */
const slicesByNode = (slices: readonly ResourceSlice[], guard: ObjectGuard): ReadonlyMap<string, readonly ResourceSlice[]> => {
  const byNode = new Map<string, ResourceSlice[]>();
  const owned = guard.each('ResourceSlice', slices, (slice) => ownerNodesOf(slice).map((name) => [name, slice] as const));
  for (const [name, slice] of owned) addToGroup(byNode, name, slice);
  return byNode;
};

/** The devices of the cluster as snapshots show them, rebuilt only when some of them have changed. */
export class DeviceViews {
  readonly #caches: DeviceCaches;
  readonly #guard: ObjectGuard;
  #view: DeviceView | undefined;
  #slices: readonly ResourceSlice[] | undefined;
  /** Node → the slices that are its own. */
  #byNode: ReadonlyMap<string, readonly ResourceSlice[]> | undefined;

  constructor(caches: DeviceCaches, guard: ObjectGuard) {
    this.#caches = caches;
    this.#guard = guard;
    const changed = (): void => (this.#view = undefined);
    onAnyChange(caches.deviceClasses, changed);
    onAnyChange(caches.resourceClaims, changed);
    onAnyChange(caches.resourceClaimTemplates, changed);
    onAnyChange(caches.resourceSlices, () => {
      this.#slices = undefined;
      this.#byNode = undefined;
      changed();
    });
  }

  view(): DeviceView {
    const { deviceClasses, resourceClaims, resourceClaimTemplates } = this.#caches;
    return (this.#view ??= deviceViewOf({
      deviceClasses: deviceClasses.list(),
      resourceClaims: resourceClaims.list(),
      resourceClaimTemplates: resourceClaimTemplates.list(),
      resourceSlices: this.#published(),
    }));
  }

  /** The drivers that have published a whole pool of the node's own devices. */
  driversOn(nodeName: string): ReadonlySet<string> {
    this.#byNode ??= slicesByNode(this.#published(), this.#guard);
    return driversWithPools(this.#byNode.get(nodeName) ?? []);
  }

  #published(): readonly ResourceSlice[] {
    return (this.#slices ??= this.#caches.resourceSlices.list());
  }
}

export type StorageCaches = Pick<Caches, 'persistentVolumeClaims' | 'persistentVolumes' | 'storageClasses' | 'csiNodes'>;

/** The storage of the cluster as snapshots show it, rebuilt only when some of it has changed. */
export class StorageViews {
  readonly #caches: StorageCaches;
  #view: StorageView | undefined;

  constructor(caches: StorageCaches) {
    this.#caches = caches;
    const changed = (): void => (this.#view = undefined);
    onAnyChange(caches.persistentVolumeClaims, changed);
    onAnyChange(caches.persistentVolumes, changed);
    onAnyChange(caches.storageClasses, changed);
  }

  view(): StorageView {
    const { persistentVolumeClaims, persistentVolumes, storageClasses } = this.#caches;
    return (this.#view ??= storageViewOf({
      claims: persistentVolumeClaims.list(),
      volumes: persistentVolumes.list(),
      classes: storageClasses.list(),
    }));
  }

  /** What the drivers of a node say that they attach at most; undefined before they have registered. */
  limitsOf(nodeName: string): NodeView['volumeLimits'] {
    return volumeLimitsOf(this.#caches.csiNodes.get({ name: nodeName }));
  }
}

/** What to do about one object of a cache. */
export interface Follower<T> {
  /** Without `previous` the object is new, or was there when the following began. */
  set(object: T, previous: T | undefined): void;
  delete(object: T): void;
}

/** Keeps a follower up to date with a cache, beginning with what is in it now. */
export const follow = <T>(cache: FollowedCache<T>, follower: Follower<T>): void => {
  cache.subscribe((change) => {
    if (change.type === 'deleted') follower.delete(change.object);
    else follower.set(change.object, change.type === 'updated' ? change.previous : undefined);
  });
};

/** Calls `changed` whenever anything in the cache changes. */
export const onAnyChange = <T>(cache: FollowedCache<T>, changed: () => void): void => {
  cache.subscribe(() => changed());
};

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

/** How the cluster is reached, and who hears how lists go. */
export type CacheSource = Pick<ObjectCacheOptions<never, never>, 'client' | 'clock' | 'logger' | 'onBug' | 'onList'>;

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

/**
 * Makes the caches; nothing is read until they run. Kinds behind a gate (overlays, buffers, rebalance plans, pod groups,
 * devices) have a cache only where `choice` says so. The cluster need not serve these.
 */
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
