import type { NodeView, StorageView } from '../cluster/index.ts';
import type { ObjectMeta } from '../kube/index.ts';
import type { Caches } from '../ports/index.ts';
import { onAnyChange } from './follow.ts';

/** The caches of storage. */
export type StorageCaches = Pick<Caches, 'persistentVolumeClaims' | 'persistentVolumes' | 'storageClasses' | 'csiNodes'>;

const byName = <T extends { readonly metadata: ObjectMeta }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.metadata.name, each]));

/** The storage of the cluster as snapshots show it, built anew only when some of it has changed. */
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
    return (this.#view ??= {
      claims: new Map(
        persistentVolumeClaims.list().map((claim) => [`${claim.metadata.namespace ?? 'default'}/${claim.metadata.name}`, claim]),
      ),
      volumes: byName(persistentVolumes.list()),
      classes: byName(storageClasses.list()),
    });
  }

  /** What the drivers of a node say that they attach at most; undefined before they have registered. */
  limitsOf(nodeName: string): NodeView['volumeLimits'] {
    const drivers = this.#caches.csiNodes.get({ name: nodeName })?.spec?.drivers;
    if (drivers === undefined) return undefined;
    const stated = drivers.flatMap(({ name, allocatable }): [string, number][] =>
      allocatable?.count === undefined ? [] : [[name, allocatable.count]],
    );
    return Object.fromEntries(stated);
  }
}
