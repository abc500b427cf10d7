import type { Engine } from '../engine/engine.ts';
import type { Resource } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { expired, notANumber, notFound } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import type { ObjectSelection } from './selection.ts';

/** The object at a key. Throws an `ApiError` (`NotFound`). */
export const readObject = (
  engine: Engine,
  resource: Resource,
  key: { readonly namespace: string | undefined; readonly name: string },
): StoredObject => {
  const object = engine.get(resource.storage, storeKey(resource.namespaced ? key.namespace : undefined, key.name));
  if (object === undefined) throw notFound(resource, key.name);
  return object;
};

/** Selected objects in key order. Costs the size of the narrowest of index, namespace and resource. */
export const selectObjects = (engine: Engine, resource: Resource, selection: ObjectSelection): readonly StoredObject[] => {
  const few = narrowed(engine, resource, selection);
  if (few !== undefined) return few.filter(selection.matches).sort(byKey);
  const candidates = engine.store.table(resource.storage).ordered(resource.namespaced ? selection.namespace : undefined);
  return selection.everything ? candidates : candidates.filter(selection.matches);
};

/** Candidates from an index, or undefined when no field of the selection has one. */
const narrowed = (engine: Engine, resource: Resource, selection: ObjectSelection): StoredObject[] | undefined => {
  const table = engine.store.table(resource.storage);
  for (const { field, value } of selection.fields.filter(({ equal }) => equal)) {
    if (field === 'metadata.name' && (selection.namespace !== undefined || !resource.namespaced)) {
      const object = table.get(storeKey(resource.namespaced ? selection.namespace : undefined, value));
      return object === undefined ? [] : [object];
    }
    const indexed = table.byField(field, value);
    if (indexed !== undefined) return [...indexed];
  }
  return undefined;
};

const byKey = (a: StoredObject, b: StoredObject): number =>
  storeKey(a.metadata.namespace, a.metadata.name) < storeKey(b.metadata.namespace, b.metadata.name) ? -1 : 1;

/**
 * The version that a read asks for, or undefined when any or the latest will do. Throws an `ApiError` (`Timeout`) for
 * one that is to come, and what `notOne` makes of a text that is none.
 */
export const requestedVersion = (
  engine: Engine,
  resourceVersion: string | undefined,
  notOne: (why: string) => ApiError,
): number | undefined => {
  if (resourceVersion === undefined || resourceVersion === '') return undefined;
  if (!/^\d+$/.test(resourceVersion))
    throw notOne(`resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: ${notANumber(resourceVersion, 'ParseUint')}`);
  const version = Number(resourceVersion);
  if (version > engine.store.version) throw tooLargeVersion(engine, version);
  return version;
};

/** 504 for a version that is to come. */
export const tooLargeVersion = (engine: Engine, version: number): ApiError =>
  new ApiError('Timeout', `Timeout: Too large resource version: ${version}, current: ${engine.store.version}`, {
    retryAfterSeconds: 1,
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
  });

/**
 * The selected objects as they were at a version that is still in the history. Throws an `ApiError` (`Expired`) when it
 * is not.
 */
export const selectObjectsAt = (
  engine: Engine,
  resource: Resource,
  at: { readonly selection: ObjectSelection; readonly version: number },
): readonly StoredObject[] => {
  const later = engine.store.history(resource.storage).since(at.version);
  if (later === undefined) throw expired(`The provided resource version is too old: ${at.version}`);
  const objects = new Map(engine.list(resource.storage).map((object) => [object.metadata.uid, object]));
  for (const { object, previous } of later.toReversed()) {
    if (previous === undefined) objects.delete(object.metadata.uid);
    else objects.set(object.metadata.uid, previous);
  }
  return [...objects.values()].filter(at.selection.matches).sort(byKey);
};
