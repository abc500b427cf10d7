import type { KubeOwnerReference } from '@karpenter/runtime';
import type { LocalDeleteOptions } from '../public/local-api.ts';
import type { Engine } from '../engine/engine.ts';
import type { JsonObject } from '../json/json.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { removeObject } from '../verbs/remove.ts';
import { isFinished } from '../verbs/update.ts';
import type { StoreEvent } from '../store/history.ts';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/**
 * What the garbage collector of a cluster does: dependents go with their last owner, in the way the owner's deletion
 * asked for.
 */
export const startGarbageCollector = (engine: Engine): Disposable => {
  const graph = createOwnerGraph(engine);
  return engine.store.listen(undefined, (event, storage) => {
    graph.follow(event, storage);
    const { type, object } = event;
    if (type === 'DELETED') {
      for (const dependent of graph.dependentsOf(object.metadata.uid)) collect(engine, dependent);
      for (const { uid } of object.metadata.ownerReferences ?? []) finish(engine, graph, uid);
      return;
    }
    if (type === 'ADDED') collect(engine, { storage, object });
    if (object.metadata.deletionTimestamp !== undefined) finish(engine, graph, object.metadata.uid);
  });
};

const remove = (engine: Engine, { storage, object }: Placed, options: LocalDeleteOptions): void => {
  const resource = engine.registry.byStorage(storage);
  if (resource !== undefined) removeObject(engine, { resource, object }, options);
};

/** An owner of a kind that is not served may be anything: it counts as there. */
const isAbsent = (engine: Engine, { uid, kind, apiVersion }: KubeOwnerReference): boolean =>
  engine.store.find(uid) === undefined && engine.registry.byKind({ kind, apiVersion }) !== undefined;

/** Deletes an object whose owners are all gone. */
const collect = (engine: Engine, { storage, object }: Placed): void => {
  const current = engine.store.find(object.metadata.uid);
  if (current === undefined || current.metadata.deletionTimestamp !== undefined) return;
  const owners = current.metadata.ownerReferences ?? [];
  if (owners.length > 0 && owners.every((owner) => isAbsent(engine, owner))) remove(engine, { storage, object: current }, {});
};

const withMetadata = (object: StoredObject, changes: JsonObject): JsonObject => ({
  ...asJson(object),
  metadata: { ...(object.metadata as unknown as JsonObject), ...changes },
});

const dropFinalizer = (engine: Engine, { storage, object }: Placed, finalizer: string): void => {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  const stored = engine.store.put(storage, withMetadata(object, { finalizers }));
  if (isFinished(stored)) engine.store.remove(storage, stored);
};

/** Goes on with an owner that is deleted with the policy Orphan or Foreground. */
const finish = (engine: Engine, graph: OwnerGraph, uid: string): void => {
  const object = engine.store.find(uid);
  if (object?.metadata.deletionTimestamp === undefined) return;
  const resource = engine.registry.byKind({ kind: object.kind, apiVersion: object.apiVersion });
  if (resource === undefined) return;
  const owner: Placed = { storage: resource.storage, object };
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(ORPHAN)) orphanDependents(engine, graph, owner);
  else if (finalizers.includes(FOREGROUND)) deleteDependents(engine, graph, owner);
};

const orphanDependents = (engine: Engine, graph: OwnerGraph, owner: Placed): void => {
  const { uid } = owner.object.metadata;
  for (const { storage, object } of graph.dependentsOf(uid)) {
    const ownerReferences = (object.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid);
    engine.store.put(storage, withMetadata(object, { ownerReferences: ownerReferences as unknown as JsonObject[] }));
  }
  dropFinalizer(engine, owner, ORPHAN);
};

const deleteDependents = (engine: Engine, graph: OwnerGraph, owner: Placed): void => {
  const { uid } = owner.object.metadata;
  for (const dependent of graph.dependentsOf(uid)) {
    if (dependent.object.metadata.deletionTimestamp === undefined) remove(engine, dependent, { propagationPolicy: 'Foreground' });
  }
  const isBlocking = ({ object }: Placed): boolean =>
    object.metadata.ownerReferences?.some((one) => one.uid === uid && one.blockOwnerDeletion === true) === true;
  if (!graph.dependentsOf(uid).some(isBlocking)) dropFinalizer(engine, owner, FOREGROUND);
};

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
const createOwnerGraph = (engine: Engine): OwnerGraph => {
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
