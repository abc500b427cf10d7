import { recordUpdate, setOwners } from '../apply/managed-fields.ts';
import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonEqual, type JsonObject, type JsonValue, objectIn, thaw } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { addZeros } from '../schema/wire-form.ts';
import { asJson, asStored, type StoredObject } from '../store/stored-object.ts';
import { refuseOtherObject } from './identity.ts';
import { storedFormOf } from './request-body.ts';
import { finalizerWarnings } from '../validation/metadata.ts';
import { validate } from './validate.ts';
import type { WriteParams } from './write-options.ts';

/** A change of one stored object. */
export interface UpdateRequest {
  readonly resource: Resource;
  readonly previous: StoredObject;
  /** The desired object, in the version of the request. */
  readonly body: JsonObject;
  /** Field ownership when the caller has worked it out (server-side apply). */
  readonly managedFields?: readonly JsonObject[];
}

/**
 * Replaces an object, or its `status` when that is the subresource. Nothing is written when nothing changed; an object
 * that is being deleted goes when its last finalizer goes.
 */
export const updateObject = (engine: Engine, request: UpdateRequest, options: WriteParams): StoredObject => {
  const { resource, previous } = request;
  const next = storedFormOf(resource, request.body, options);
  refuseOtherObject(resource, next, previous);
  const merged = options.subresource === 'status' ? statusOnly(resource, next, previous) : next;
  keepServerOwned(resource, merged, { previous, status: options.subresource === 'status' });
  if (options.subresource !== 'status') {
    resource.strategy.prepareUpdate?.(merged, previous);
    resource.strategy.defaults?.(merged);
  }
  if (!resource.custom) addZeros(merged, resource.schema);
  validate(resource, merged, previous);
  if (resource.custom) finalizerWarnings(objectIn(merged, 'metadata')).forEach(options.warn);
  options.admit({ operation: 'UPDATE', resource, object: merged, oldObject: asJson(previous) });
  setGeneration(resource, merged, previous);
  own(engine, request, { merged, options });
  if (unchanged(merged, previous)) return previous;
  if (options.dryRun) return asStored(merged);
  return isFinished(asStored(merged))
    ? engine.store.remove(resource.storage, asStored(merged))
    : engine.store.put(resource.storage, merged);
};

/** Whether an object that is being deleted has nothing left to wait for. */
export const isFinished = ({ metadata, spec }: StoredObject): boolean => {
  if (metadata.deletionTimestamp === undefined || (metadata.finalizers ?? []).length > 0) return false;
  return (metadata.deletionGracePeriodSeconds ?? 0) === 0 && !Array.isArray(asRecord(spec)['finalizers']);
};

/** Leaves a namespace these finalizers of its spec. One that is being deleted goes with the last of them. */
export const finalizeNamespace = (engine: Engine, namespace: StoredObject, finalizers: JsonValue | undefined): StoredObject => {
  const left = Array.isArray(finalizers) && finalizers.length > 0 ? finalizers : undefined;
  const next = asStored({ ...asJson(namespace), spec: { finalizers: left } });
  return isFinished(next) ? engine.store.remove('namespaces', next) : engine.store.put('namespaces', asJson(next));
};

const statusOnly = (resource: Resource, next: JsonObject, previous: StoredObject): JsonObject => {
  const metadataToo = ['pods', 'nodes'].includes(resource.storage);
  const before = asJson(previous);
  if (resource.storage === 'pods') objectIn(next, 'status')['qosClass'] ??= asRecord(before['status'])['qosClass'];
  return {
    ...thaw({ ...before, status: undefined }),
    ...(metadataToo ? { metadata: next['metadata'] } : {}),
    ...(next['status'] === undefined ? {} : { status: next['status'] }),
  };
};

const keepServerOwned = (
  resource: Resource,
  next: JsonObject,
  how: { readonly previous: StoredObject; readonly status: boolean },
): void => {
  const before = asRecord(asJson(how.previous)['metadata']);
  const metadata = objectIn(next, 'metadata');
  const kept = [
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'generation',
    'namespace',
    'generateName',
  ];
  for (const member of kept) {
    if (before[member] === undefined) Reflect.deleteProperty(metadata, member);
    else metadata[member] = before[member];
  }
  if (how.status || !resource.hasStatus) return;
  const { status } = asJson(how.previous);
  if (status === undefined) delete next['status'];
  else next['status'] = thaw(status);
};

const setGeneration = (resource: Resource, next: JsonObject, previous: StoredObject): void => {
  if (resource.strategy.countsGeneration === false) return;
  const significant = (object: JsonObject): JsonObject => ({
    ...object,
    metadata: undefined,
    ...(resource.hasStatus ? { status: undefined } : {}),
  });
  if (jsonEqual(significant(next), significant(asJson(previous)))) return;
  objectIn(next, 'metadata')['generation'] = (previous.metadata.generation ?? 0) + 1;
};

const own = (
  engine: Engine,
  request: UpdateRequest,
  { merged, options }: { readonly merged: JsonObject; readonly options: WriteParams },
): void => {
  const metadata = objectIn(merged, 'metadata');
  const wiped = Array.isArray(metadata['managedFields']) && metadata['managedFields'].length === 0;
  const before = wiped ? [] : thaw(request.previous.metadata.managedFields ?? []);
  setOwners(metadata, request.managedFields ?? before);
  if (request.managedFields !== undefined || options.fieldManager === undefined) return;
  recordUpdate(
    { resource: request.resource, next: merged, previous: request.previous },
    { manager: options.fieldManager, nowMs: engine.nowMs, subresource: options.subresource },
  );
};

const unchanged = (next: JsonObject, previous: StoredObject): boolean => {
  const bare = (object: JsonObject): JsonObject => ({ ...object, metadata: { ...asRecord(object['metadata']), managedFields: undefined } });
  const before = asJson(previous);
  if (!jsonEqual(bare(next), bare(before))) return false;
  const ownership = (object: JsonObject) => (asRecord(object['metadata'])['managedFields'] ?? []) as readonly JsonObject[];
  const timeless = (object: JsonObject) => ownership(object).map((entry) => ({ ...entry, time: undefined }));
  return jsonEqual(timeless(next), timeless(before));
};
