import { deviceViewOf, driversWithPools, ownerNodesOf, storageViewOf, volumeLimitsOf } from '../cluster/index.ts';
import type { DeviceView, NodeView, StorageView } from '../cluster/index.ts';
import type { ResourceSlice } from '../kube/index.ts';
import type { Caches, DeviceCaches } from '../ports/index.ts';
import { onAnyChange } from './follow.ts';

const slicesByNode = (slices: readonly ResourceSlice[]): ReadonlyMap<string, readonly ResourceSlice[]> => {
  const byNode = new Map<string, ResourceSlice[]>();
  for (const slice of slices) for (const name of ownerNodesOf(slice)) byNode.set(name, [...(byNode.get(name) ?? []), slice]);
  return byNode;
};

/** The devices of the cluster as snapshots show them, rebuilt only when some of them have changed. */
export class DeviceViews {
  readonly #caches: DeviceCaches;
  #view: DeviceView | undefined;
  #slices: readonly ResourceSlice[] | undefined;
  /** Node → the slices that are its own. */
  #byNode: ReadonlyMap<string, readonly ResourceSlice[]> | undefined;

  constructor(caches: DeviceCaches) {
    this.#caches = caches;
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
    this.#byNode ??= slicesByNode(this.#published());
    return driversWithPools(this.#byNode.get(nodeName) ?? []);
  }

  #published(): readonly ResourceSlice[] {
    return (this.#slices ??= this.#caches.resourceSlices.list());
  }
}

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
