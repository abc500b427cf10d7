import type { CSINode, ObjectMeta, PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kube/index.ts';
import type { NodeView } from './node-view.ts';

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
  claims: new Map(claims.map((claim) => [`${claim.metadata.namespace ?? 'default'}/${claim.metadata.name}`, claim])),
  volumes: byName(volumes),
  classes: byName(classes),
});

/** What the drivers of a node say that they attach at most; undefined before they have registered. */
export const volumeLimitsOf = (csiNode: CSINode | undefined): NodeView['volumeLimits'] => {
  const drivers = csiNode?.spec?.drivers;
  if (drivers === undefined) return undefined;
  const stated = drivers.flatMap(({ name, allocatable }): [string, number][] =>
    allocatable?.count === undefined ? [] : [[name, Math.max(0, allocatable.count)]],
  );
  return Object.fromEntries(stated);
};
