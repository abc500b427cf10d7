import { applyObject } from '../apply/apply-object.ts';
import type { Engine } from '../engine/engine.ts';
import { thaw } from '../json/freeze.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { asObject, isObject } from '../json/json.ts';
import { textAt } from '../json/value-at.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMerge } from '../patch/strategic-merge.ts';
import type { Resource } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { invalidValue } from '../status/field-error.ts';
import { badRequest, invalid } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson, keyOf } from '../store/stored-object.ts';
import { readObject } from './read.ts';
import { updateObject } from './update.ts';
import type { WriteOptions } from './write-options.ts';

/** One patch of one object. */
export interface PatchRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly body: JsonValue;
}

/** Patches an object, or its status. Only an apply creates what is missing. */
export const patchObject = (engine: Engine, request: PatchRequest, options: WriteOptions): StoredObject => {
  const { resource, namespace, name } = request;
  if (request.type === 'apply') {
    const live = engine.get(resource.storage, keyOf(resource.namespaced ? namespace : undefined, name));
    return applyObject(engine, { resource, namespace, name, live, body: objectBody(request.body) }, options);
  }
  const previous = readObject(engine, resource, { namespace, name });
  const current = resource.conversion === undefined ? asJson(previous) : resource.conversion.fromStored(asJson(previous));
  const body = objectBody(patched(resource, current, request));
  if (textAt(body, 'metadata.resourceVersion') === '')
    throw new ApiError(
      'Invalid',
      `${resource.kind} "${name}" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`,
    );
  refuseOtherIdentity(resource, body, previous);
  return updateObject(engine, { resource, previous, body: thaw(body) }, options);
};

/** A patch may not make of an object one of another namespace or uid. */
const refuseOtherIdentity = (resource: Resource, body: JsonObject, { metadata }: StoredObject): void => {
  const { uid, namespace } = asObject(body['metadata']);
  if (namespace !== metadata.namespace && namespace !== undefined)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (uid !== metadata.uid && uid !== undefined)
    throw invalid(resource, metadata.name, [invalidValue('metadata.uid', uid, 'field is immutable')]);
};

const objectBody = (body: JsonValue): JsonObject => {
  if (!isObject(body)) throw badRequest('cannot restore slice from map: the body must be an object');
  return body;
};

const patched = (resource: Resource, current: JsonObject, { type, body }: PatchRequest): JsonValue => {
  switch (type) {
    case 'json':
      return jsonPatch(current, body);
    case 'strategic':
      if (resource.custom) {
        throw new ApiError(
          'UnsupportedMediaType',
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
        );
      }
      return strategicMerge(current, objectBody(body), resource.schema);
    default:
      return mergePatch(current, objectBody(body));
  }
};
