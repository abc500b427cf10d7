import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../kube/index.ts';

/** The storage of a cluster as decisions see it. */
export interface StorageView {
  /** `namespace/name` → claim. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** Name → volume. */
  readonly volumes: ReadonlyMap<string, PersistentVolume>;
  /** Name → class. */
  readonly classes: ReadonlyMap<string, StorageClass>;
}
