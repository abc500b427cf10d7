import type { Engine } from '../engine/engine.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { StoreEvent } from '../store/watch-event.ts';

/** An object and the resource that it is stored under. */
export interface Placed {
  readonly storage: string;
  readonly object: StoredObject;
}

/** Who depends on whom, by the owner references of all objects. */
export interface OwnerGraph {
  follow(event: StoreEvent, storage: string): void;
  /** The objects that name an owner. */
  dependentsOf(owner: string): readonly Placed[];
}

/** An empty graph; it has to follow every event. */
export const createOwnerGraph = (engine: Engine): OwnerGraph => {
  const dependents = new Map<string, Map<string, string>>();
  const unlink = ({ metadata }: StoredObject): void => {
    for (const { uid: owner } of metadata.ownerReferences ?? []) {
      const members = dependents.get(owner);
      members?.delete(metadata.uid);
      if (members?.size === 0) dependents.delete(owner);
    }
  };
  return {
    follow: ({ type, object, previous }, storage) => {
      if (previous !== undefined) unlink(previous);
      if (type === 'DELETED') return;
      for (const { uid: owner } of object.metadata.ownerReferences ?? []) {
        const members = dependents.get(owner) ?? new Map<string, string>();
        dependents.set(owner, members.set(object.metadata.uid, storage));
      }
    },
    dependentsOf: (owner) =>
      [...(dependents.get(owner) ?? [])].flatMap(([uid, storage]) => {
        const object = engine.store.find(uid);
        return object === undefined ? [] : [{ storage, object }];
      }),
  };
};
