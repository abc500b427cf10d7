import { storageViewOf, volumeLimitsOf } from '../cluster/index.ts';
import type { NodeView, StorageView } from '../cluster/index.ts';
import type { Caches } from '../ports/index.ts';
import { onAnyChange } from './follow/follow.ts';

/** The caches of storage. */
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
