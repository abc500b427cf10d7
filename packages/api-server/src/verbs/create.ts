import { kubeTime } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { randomSuffix, randomUid } from '../engine/seeded-random.ts';
import { type JsonObject, objectIn, textAt } from '../json/json.ts';
import { recordUpdate } from '../apply/managed-fields.ts';
import type { Resource } from '../resources/resource.ts';
import { alreadyExists, failure, forbidden, notFound, otherNamespace } from '../status/refusals.ts';
import { addZeros, emptyStruct } from '../schema/wire-form.ts';
import { asStored, type StoredObject, storeKey } from '../store/stored-object.ts';
import { storedFormOf } from './request-body.ts';
import { finalizerWarnings } from '../validation/metadata.ts';
import { admitQuota } from './quota-admission.ts';
import { validate } from './validate.ts';
import type { WriteParams } from './write-options.ts';

/** Where a new object goes. `namespace` is that of the request. */
export interface CreateRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly body: JsonObject;
  /** Owns the fields already: a create by server-side apply. */
  readonly managedFields?: readonly JsonObject[];
}

/** Creates an object. Throws an `ApiError` when it exists, is wrong, or its namespace is missing or going. */
export const createObject = (engine: Engine, request: CreateRequest, options: WriteParams): StoredObject => {
  const { resource } = request;
  const object = storedFormOf(resource, request.body, options);
  const metadata = objectIn(object, 'metadata');
  if (!['', '0'].includes(textAt(metadata, 'resourceVersion'))) throw failure('resourceVersion should not be set on objects to be created');
  placeIn(resource, metadata, request.namespace);
  nameFrom(engine, resource, metadata);
  complete(engine, request, { object, options });
  const name = textAt(metadata, 'name');
  if (resource.namespaced) requireNamespace(engine, resource, metadata);
  const taken = engine.store.table(resource.storage).get(storeKey(textAt(metadata, 'namespace'), name));
  if (taken !== undefined) throw alreadyExists(resource, name, { isGoing: taken.metadata.deletionTimestamp !== undefined });
  resource.strategy.admitCreate?.(object, engine);
  validate(resource, object, undefined);
  admitQuota(engine, resource, object);
  if (resource.custom) finalizerWarnings(metadata).forEach(options.warn);
  options.admit({ operation: 'CREATE', resource, object, oldObject: undefined });
  if (options.dryRun) return asStored(object);
  return engine.store.put(resource.storage, object);
};

const placeIn = (resource: Resource, metadata: JsonObject, namespace: string | undefined): void => {
  if (!resource.namespaced) {
    delete metadata['namespace'];
    return;
  }
  const own = textAt(metadata, 'namespace');
  if (own !== '' && namespace !== undefined && own !== namespace) {
    throw otherNamespace();
  }
  metadata['namespace'] = own || namespace || 'default';
};

const NAME_ATTEMPTS = 8;

/** A generated name that is taken is generated again, since among ten thousand pods of one owner two would meet. */
const nameFrom = (engine: Engine, resource: Resource, metadata: JsonObject): void => {
  const prefix = textAt(metadata, 'generateName');
  if (textAt(metadata, 'name') !== '' || prefix === '') return;
  const table = engine.store.table(resource.storage);
  const isTaken = (): boolean => table.get(storeKey(textAt(metadata, 'namespace'), textAt(metadata, 'name'))) !== undefined;
  for (let attempt = 0; attempt === 0 || (attempt < NAME_ATTEMPTS && isTaken()); attempt += 1)
    metadata['name'] = prefix.slice(0, 58) + randomSuffix(engine.random);
};

interface Creation {
  readonly object: JsonObject;
  readonly options: WriteParams;
}

/** What the client sent and the defaults belong to the client; what the server sets belongs to nobody. */
const complete = (engine: Engine, request: CreateRequest, { object, options }: Creation): void => {
  const { resource } = request;
  const { strategy } = resource;
  stampNew(engine, resource, object);
  strategy.defaults?.(object);
  recordCreate(engine, request, { object, options });
  strategy.prepareCreate?.(object, engine);
  if (!resource.custom) addZeros(object, resource.schema);
};

/** What the server says of a new object, whatever the client said. */
const stampNew = (engine: Engine, { strategy, hasStatus, custom, schema }: Resource, object: JsonObject): void => {
  const metadata = objectIn(object, 'metadata');
  for (const member of ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation', 'managedFields'])
    Reflect.deleteProperty(metadata, member);
  metadata['uid'] = randomUid(engine.random);
  metadata['creationTimestamp'] = kubeTime(engine.nowMs);
  if (strategy.countsGeneration !== false) metadata['generation'] = 1;
  if (hasStatus && strategy.keepsStatusOnCreate !== true) delete object['status'];
  if (hasStatus && !custom) object['status'] ??= emptyStruct(schema.properties?.['status'] ?? {});
};

const requireNamespace = (engine: Engine, resource: Resource, metadata: JsonObject): void => {
  const name = textAt(metadata, 'namespace');
  const namespace = engine.get('namespaces', name);
  if (namespace === undefined) throw notFound({ group: '', plural: 'namespaces', kind: 'Namespace' }, name);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' };
  throw forbidden(resource, textAt(metadata, 'name'), { why, causes: [cause] });
};

const recordCreate = (engine: Engine, request: CreateRequest, { object, options }: Creation): void => {
  const { hasStatus, strategy } = request.resource;
  const isBare = hasStatus && strategy.keepsStatusOnCreate !== true;
  const metadata = objectIn(object, 'metadata');
  if (request.managedFields !== undefined) metadata['managedFields'] = [...request.managedFields];
  else if (options.fieldManager !== undefined) {
    recordUpdate(
      { resource: request.resource, next: isBare ? { ...object, status: undefined } : object, previous: undefined },
      { manager: options.fieldManager, nowMs: engine.nowMs, subresource: undefined },
    );
  }
};
