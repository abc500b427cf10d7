import { applyObject } from '../apply/apply-object.ts';
import type { Engine } from '../engine/engine.ts';
import { asRecord, isObject, type JsonObject, type JsonValue, textAt, thaw } from '../json/json.ts';
import { goKind, goText } from '../json/go-text.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { mergePatch } from '../patch/merge-patch.ts';
import { strategicMerge } from '../patch/strategic-merge.ts';
import { apiVersionIn, type Resource, versionedOf } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { invalidValue } from '../status/field-error.ts';
import { badRequest, invalid, otherNamespace, unknownFormat } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import { readObject } from './read.ts';
import { requireVersion } from './identity.ts';
import { updateObject } from './update.ts';
import type { WriteParams } from './write-options.ts';

/** One patch of one object. */
export interface PatchRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly body: JsonValue;
}

/** Patches an object, or its status. Only an apply creates what is missing. */
export const patchObject = (engine: Engine, request: PatchRequest, options: WriteParams): StoredObject => {
  const { resource, namespace, name } = request;
  if (request.type === 'apply') {
    const live = engine.get(resource.storage, storeKey(resource.namespaced ? namespace : undefined, name));
    return applyObject(engine, { resource, namespace, name, live, body: patchBody(request) }, options);
  }
  const previous = readObject(engine, resource, { namespace, name });
  const current = versionedOf(resource, previous);
  const body = wholeObject(patched(resource, current, request));
  if (resource.custom) refuseOtherKind(resource, body, previous);
  requireVersion(resource, body, previous);
  refuseOtherIdentity(resource, body, previous);
  const refuseBody = (problem: string) => unfitPatch(shownPatch(request, body), problem);
  return updateObject(engine, { resource, previous, body: thaw(body) }, { ...options, refuseBody });
};

/** A patched object that is none, or the result of a patch of the whole. */
const wholeObject = (body: JsonValue): JsonObject => {
  if (!isObject(body)) throw badRequest('cannot restore slice from map: the body must be an object');
  return body;
};

/** A real server shows what a patch made of an object, or the patch itself when it is a strategic one. */
const shownPatch = ({ type, body }: PatchRequest, whole: JsonObject): string =>
  type === 'strategic' ? goText(body) : JSON.stringify(whole);

/** 422 for a patch that makes of an object what cannot be read. */
export const unfitPatch = (shown: string, problem: string): ApiError =>
  invalid({ group: '', plural: '', kind: '' }, '', [invalidValue('patch', shown, problem)]);

const refuseOtherKind = (resource: Resource, body: JsonObject, { metadata }: StoredObject): void => {
  const expected = { apiVersion: apiVersionIn(resource), kind: resource.kind };
  for (const [member, value] of Object.entries(expected)) {
    const given = textAt(body, member);
    if (given !== value)
      throw invalid({ ...resource, kind: textAt(body, 'kind') }, metadata.name, [invalidValue(member, given, `must be ${value}`)]);
  }
};

/** A patch may not make of an object one of another namespace or uid. */
const refuseOtherIdentity = (resource: Resource, body: JsonObject, { metadata }: StoredObject): void => {
  const { uid, namespace } = asRecord(body['metadata']);
  if (namespace !== metadata.namespace && namespace !== undefined) throw otherNamespace();
  if (uid !== metadata.uid && uid !== undefined)
    throw invalid(resource, metadata.name, [invalidValue('metadata.uid', uid, 'field is immutable')]);
};

const patchBody = ({ type, body }: PatchRequest): JsonObject => {
  if (isObject(body)) return body;
  const what = type === 'apply' ? 'error decoding YAML: error unmarshaling JSON: while decoding JSON' : 'error decoding patch';
  throw badRequest(`${what}: json: cannot unmarshal ${goKind(body)} into Go value of type map[string]interface {}`);
};

const patched = (resource: Resource, current: JsonObject, request: PatchRequest): JsonValue => {
  switch (request.type) {
    case 'json':
      return jsonPatch(current, request.body);
    case 'strategic':
      if (resource.custom) throw unknownPatchType(resource);
      return strategicMerge(current, patchBody(request), resource.schema);
    default:
      return mergePatch(current, patchBody(request));
  }
};

/** 415 for a kind of patch that a resource is not served with. */
export const unknownPatchType = ({ custom }: Resource): ApiError =>
  custom
    ? unknownFormat('application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml')
    : new ApiError('UnsupportedMediaType', '415: Unsupported Media Type', {});
