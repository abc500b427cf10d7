import type { OwnerReference } from '../door/kube-object.ts';
import type { Engine } from '../engine/engine.ts';
import type { JsonObject } from '../json/json.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';
import type { StoreEvent } from '../store/watch-event.ts';
import { removeObject, type Removal } from '../verbs/remove.ts';
import { isFinished } from '../verbs/update.ts';

interface Place {
  readonly storage: string;
  readonly uid: string;
}

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/** What the garbage collector of a cluster does: dependents go with their last owner, in the way the owner's deletion asked for. */
export const startGarbageCollector = (engine: Engine): Disposable => {
  const dependents = new Map<string, Map<string, Place>>();

  const find = ({ storage, uid }: Place): { readonly storage: string; readonly object: StoredObject } | undefined => {
    const object = engine.store.find(uid);
    return object === undefined ? undefined : { storage, object };
  };
  const dependentsOf = (uid: string) => [...(dependents.get(uid)?.values() ?? [])].flatMap((place) => find(place) ?? []);
  const isAbsent = (owner: OwnerReference): boolean =>
    engine.store.find(owner.uid) === undefined && engine.registry.byKind({ kind: owner.kind, apiVersion: owner.apiVersion }) !== undefined;

  const remove = (
    storage: string,
    object: StoredObject,
    propagationPolicy: 'Background' | 'Foreground' | undefined,
  ): Removal | undefined => {
    const resource = engine.registry.byStorage(storage);
    return resource === undefined ? undefined : removeObject(engine, { resource, object }, { propagationPolicy });
  };
  const link = ({ object, previous }: StoreEvent, storage: string): void => {
    const { uid } = object.metadata;
    for (const { uid: owner } of previous?.metadata.ownerReferences ?? []) dependents.get(owner)?.delete(uid);
    for (const { uid: owner } of object.metadata.ownerReferences ?? []) {
      const members = dependents.get(owner) ?? new Map<string, Place>();
      dependents.set(owner, members.set(uid, { storage, uid }));
    }
  };
  const unlink = ({ metadata }: StoredObject): void => {
    for (const { uid: owner } of metadata.ownerReferences ?? []) {
      const members = dependents.get(owner);
      members?.delete(metadata.uid);
      if (members?.size === 0) dependents.delete(owner);
    }
  };
  const collect = (storage: string, object: StoredObject): void => {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0 || object.metadata.deletionTimestamp !== undefined || !owners.every(isAbsent)) return;
    remove(storage, object, undefined);
  };
  const dropFinalizer = (storage: string, object: StoredObject, finalizer: string): void => {
    const { finalizers = [] } = object.metadata;
    const next: JsonObject = {
      ...asJson(object),
      metadata: { ...(object.metadata as unknown as JsonObject), finalizers: finalizers.filter((one) => one !== finalizer) },
    };
    const stored = engine.store.put(storage, next);
    if (isFinished(stored)) engine.store.remove(storage, stored);
  };
  const orphan = (owner: string): void => {
    for (const { storage, object } of dependentsOf(owner)) {
      const ownerReferences = (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner);
      engine.store.put(storage, {
        ...asJson(object),
        metadata: { ...(object.metadata as unknown as JsonObject), ownerReferences: ownerReferences as unknown as JsonObject[] },
      });
    }
  };
  const finish = (storage: string, uid: string): void => {
    const owner = engine.store.find(uid);
    if (owner?.metadata.deletionTimestamp === undefined) return;
    const { finalizers = [] } = owner.metadata;
    if (finalizers.includes(ORPHAN)) {
      orphan(uid);
      dropFinalizer(storage, owner, ORPHAN);
    } else if (finalizers.includes(FOREGROUND)) {
      for (const { storage: at, object } of dependentsOf(uid))
        if (object.metadata.deletionTimestamp === undefined) remove(at, object, 'Foreground');
      const blocking = dependentsOf(uid).some(({ object }) =>
        object.metadata.ownerReferences?.some((one) => one.uid === uid && one.blockOwnerDeletion === true),
      );
      if (!blocking) dropFinalizer(storage, owner, FOREGROUND);
    }
  };
  const afterRemoval = (gone: StoredObject): void => {
    unlink(gone);
    for (const { storage, object } of dependentsOf(gone.metadata.uid)) collect(storage, object);
    dependents.delete(gone.metadata.uid);
    for (const { uid } of gone.metadata.ownerReferences ?? []) {
      const owner = engine.store.find(uid);
      const resource = owner === undefined ? undefined : engine.registry.byKind({ kind: owner.kind, apiVersion: owner.apiVersion });
      if (resource !== undefined) finish(resource.storage, uid);
    }
  };
  return engine.store.listen(undefined, (event, storage) => {
    if (event.type === 'DELETED') {
      afterRemoval(event.object);
      return;
    }
    link(event, storage);
    if (event.type === 'ADDED') collect(storage, event.object);
    if (event.object.metadata.deletionTimestamp !== undefined) finish(storage, event.object.metadata.uid);
  });
};
