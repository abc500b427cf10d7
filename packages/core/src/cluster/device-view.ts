import { compareText, highestOf, memoByObject } from '../base/index.ts';
import type { FieldProblem } from '../base/index.ts';
import { namespacedNameOf } from '../kube/index.ts';
import type {
  CSINode,
  DeviceClass,
  ObjectMeta,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  StorageClass,
} from '../kube/index.ts';
import type { NodeView } from './node-view.ts';

/** The devices of a cluster as decisions see them, and who asks for them. */
export interface DeviceView {
  /** Name → class. */
  readonly classes: ReadonlyMap<string, DeviceClass>;
  /** `namespace/name` → claim. */
  readonly claims: ReadonlyMap<string, ResourceClaim>;
  /** `namespace/name` → template. */
  readonly templates: ReadonlyMap<string, ResourceClaimTemplate>;
  readonly slices: readonly ResourceSlice[];
}

/** The objects that device allocation reads. */
export interface DeviceObjects {
  readonly deviceClasses: readonly DeviceClass[];
  readonly resourceClaims: readonly ResourceClaim[];
  readonly resourceClaimTemplates: readonly ResourceClaimTemplate[];
  readonly resourceSlices: readonly ResourceSlice[];
}

type Named = { readonly metadata: ObjectMeta };

const byQualifiedName = <T extends Named>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [namespacedNameOf(each.metadata), each]));

/** Objects of device allocation by their names. Of two with one name the last counts. */
export const deviceViewOf = (objects: DeviceObjects): DeviceView => ({
  classes: new Map(objects.deviceClasses.map((each) => [each.metadata.name, each])),
  claims: byQualifiedName(objects.resourceClaims),
  templates: byQualifiedName(objects.resourceClaimTemplates),
  slices: objects.resourceSlices,
});

/** Before the name of a DeviceClass: the extended resource that every class stands for. Source: `k8s.io/api/resource/v1`. */
const IMPLICIT = 'deviceclass.resource.kubernetes.io/';

type Classes = DeviceView['classes'];

/**
 * Whether the first class wins the resource that both name: the newer, then the first by name. Source: Kubernetes,
 * `extendedresourcecache`.
 */
const wins = (a: DeviceClass, b: DeviceClass): boolean => {
  const byAge = compareText(b.metadata.creationTimestamp ?? '', a.metadata.creationTimestamp ?? '');
  return (byAge === 0 ? compareText(a.metadata.name, b.metadata.name) : byAge) < 0;
};

/** Resource → the class that names it. */
const classesByResource = memoByObject((classes: Classes): ReadonlyMap<string, DeviceClass> => {
  const byResource = new Map<string, DeviceClass>();
  for (const deviceClass of classes.values()) {
    const resource = deviceClass.spec.extendedResourceName;
    const other = resource === undefined ? undefined : byResource.get(resource);
    if (resource !== undefined && (other === undefined || wins(deviceClass, other))) byResource.set(resource, deviceClass);
  }
  return byResource;
});

/** The DeviceClass that stands for an extended resource, so that its devices may meet requests for it. */
export const deviceClassFor = ({ classes }: Pick<DeviceView, 'classes'>, resource: string): DeviceClass | undefined => {
  if (resource.startsWith(IMPLICIT)) return classes.get(resource.slice(IMPLICIT.length));
  return classesByResource(classes).get(resource);
};

/** The nodes that a slice belongs to: the one that it names and the one that owns it. */
export const ownerNodesOf = ({ metadata, spec }: ResourceSlice): readonly string[] => {
  const owners = (metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Node').map(({ name }) => name);
  return [...new Set([...(spec.nodeName === undefined || spec.nodeName === '' ? [] : [spec.nodeName]), ...owners])];
};

/**
 * The most devices that are read of one node, and of no node. What is compiled of one costs 1.5 kB, and a kubelet
 * publishes them.
 */
const MOST_NODE_DEVICES = 8192;
const MOST_SHARED_DEVICES = 65_536;

/** The first of a node's slices that is not read, and why. */
export interface UnreadSlice {
  readonly name: string;
  readonly problem: FieldProblem;
}

const sumOfDevices = (slices: readonly ResourceSlice[]): number => slices.reduce((sum, { spec }) => sum + (spec.devices ?? []).length, 0);

interface BoundedSlices {
  readonly read: readonly ResourceSlice[];
  readonly beyond: readonly UnreadSlice[];
}

const whoseDevices = (node: string): string => (node === '' ? 'in slices that belong to no node' : 'of one node');

/** The slices that are read: of a node the first by name; the list itself where all are. */
export const slicesInBounds = memoByObject((slices: readonly ResourceSlice[]): BoundedSlices => {
  const left = new Set<ResourceSlice>();
  const beyond: UnreadSlice[] = [];
  for (const [node, own] of Map.groupBy(slices, ({ spec }) => spec.nodeName ?? '')) {
    const most = node === '' ? MOST_SHARED_DEVICES : MOST_NODE_DEVICES;
    const devices = sumOfDevices(own);
    if (devices <= most) continue;
    let count = 0;
    const over = own
      .sort((a, b) => compareText(a.metadata.name, b.metadata.name))
      .filter((slice) => (count += sumOfDevices([slice])) > most);
    for (const slice of over) left.add(slice);
    const problem = `${whoseDevices(node)} ${most} devices are read; from this slice on ${over.length} slices are not`;
    beyond.push({ name: over[0]?.metadata.name ?? '', problem: { field: 'spec.devices', value: `${devices} devices`, problem } });
  }
  return { read: left.size === 0 ? slices : slices.filter((slice) => !left.has(slice)), beyond };
});

/** Whether all slices of the highest generation of a pool are there. */
const isWhole = (slices: readonly ResourceSlice[]): boolean => {
  const parts = slices.map(({ spec }) => spec.pool);
  const newest = highestOf(parts.map(({ generation = 0 }) => generation));
  const current = parts.filter(({ generation = 0 }) => generation === newest);
  return current.length === (current[0]?.resourceSliceCount ?? 1);
};

/** The drivers with at least one complete pool in the slices. */
export const driversWithPools = (slices: readonly ResourceSlice[]): ReadonlySet<string> => {
  const pools = Map.groupBy(slices, ({ spec }) => `${spec.driver}/${spec.pool.name}`);
  return new Set(
    [...pools.values()]
      .filter(isWhole)
      .flatMap((own) => own.slice(0, 1))
      .map(({ spec }) => spec.driver),
  );
};

/** The storage of a cluster as decisions see it. */
export interface StorageView {
  /** `namespace/name` → claim. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** Name → volume. */
  readonly volumes: ReadonlyMap<string, PersistentVolume>;
  /** Name → class. */
  readonly classes: ReadonlyMap<string, StorageClass>;
}

/** The objects that storage is made of. */
export interface StorageObjects {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly classes: readonly StorageClass[];
}

const byName = <T extends { readonly metadata: ObjectMeta }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.metadata.name, each]));

/** Storage objects by their names. Of two with one name the last counts. */
export const storageViewOf = ({ claims, volumes, classes }: StorageObjects): StorageView => ({
  claims: byQualifiedName(claims),
  volumes: byName(volumes),
  classes: byName(classes),
});

/** What the drivers of a node say that they attach at most; undefined before they have registered. */
export const volumeLimitsOf = (csiNode: CSINode | undefined): NodeView['volumeLimits'] => {
  const drivers = csiNode?.spec?.drivers ?? undefined;
  if (drivers === undefined) return undefined;
  const stated = drivers.flatMap(({ name, allocatable }): [string, number][] =>
    allocatable?.count === undefined ? [] : [[name, Math.max(0, allocatable.count)]],
  );
  return Object.fromEntries(stated);
};
