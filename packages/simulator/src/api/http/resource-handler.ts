import type { Engine } from '../engine/engine.ts';
import type { FaultBox } from '../faults/fault-box.ts';
import type { PolicyGate } from '../policies/admit.ts';
import { decode } from '../schema/decode.ts';
import { builtInSchema } from '../schema/built-in-schemas.ts';
import type { JsonObject } from '../json/json.ts';
import { asObject, isObject } from '../json/json.ts';
import { plainText } from '../json/plain-text.ts';
import type { DeleteOptions } from '../door/local-api.ts';
import { ApiError } from '../status/api-error.ts';
import { invalidValue, unsupported } from '../status/field-error.ts';
import { badRequest, invalid, notFound } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson, keyOf } from '../store/stored-object.ts';
import { createObject } from '../verbs/create.ts';
import type { Pager } from '../verbs/paging.ts';
import type { PatchRequest } from '../verbs/patch-object.ts';
import { patchObject } from '../verbs/patch-object.ts';
import { readObject, requestedVersion, selectObjects, selectObjectsAt } from '../verbs/read.ts';
import { removeObject } from '../verbs/remove.ts';
import { selectionOf } from '../verbs/selection.ts';
import { updateObject } from '../verbs/update.ts';
import type { WriteOptions } from '../verbs/write-options.ts';
import type { ApiRequest } from './api-request.ts';
import { writeOptionsOf } from './api-request.ts';
import { listReply } from './list-reply.ts';
import type { Reply } from './reply.ts';
import { reply } from './reply.ts';
import { formOf, metadataOf, tableOf, versionedOf } from './representation.ts';

/** What the handlers of one server share. */
export interface HandlerTools {
  readonly engine: Engine;
  readonly pager: Pager;
  readonly faults: FaultBox;
  readonly policies: PolicyGate;
}

/** Answers a request for objects of a resource (not a subresource other than status, not a watch). */
export const handleResource = (tools: HandlerTools, request: ApiRequest, warn: (text: string) => void): Reply => {
  const { engine } = tools;
  const { route, verb } = request;
  const options = writeOptionsOf(request, tools.policies, warn);
  switch (verb) {
    case 'get':
      return shown(tools, request, read(tools, request));
    case 'list':
      return list(tools, request);
    case 'create':
      return created(
        shown(
          tools,
          request,
          createObject(engine, { resource: route.resource, namespace: route.namespace, body: bodyOf(request) }, options),
        ),
      );
    case 'update':
      return shown(tools, request, update(tools, request, options));
    case 'patch':
      return patch(tools, request, options);
    case 'delete':
      return remove(tools, request, options);
    case 'deletecollection':
      return removeAll(tools, request, options);
    default:
      throw new ApiError('MethodNotAllowed', `the server does not allow this method on the requested resource`);
  }
};

const keyIn = ({ route }: ApiRequest) => ({ namespace: route.namespace, name: route.name ?? '' });

/** The body as an object. Throws an `ApiError` when there is none. */
export const bodyOf = ({ body, contentType }: ApiRequest): JsonObject => {
  if (!isObject(body))
    throw badRequest(contentType === '' ? 'the request has no body' : 'the object provided is unrecognized (must be of type JSON object)');
  return body;
};

const read = ({ engine, faults }: HandlerTools, request: ApiRequest): StoredObject => {
  const { resource } = request.route;
  const key = keyIn(request);
  const version = request.query.get('resourceVersion') ?? undefined;
  requestedVersion(engine, { resourceVersion: version, match: undefined });
  if (version !== '0' || faults.frozenAt === undefined) return readObject(engine, resource, key);
  const selection = selectionOf(resource, { namespace: key.namespace });
  const found = selectObjectsAt(engine, resource, { selection, version: faults.frozenAt }).find(
    ({ metadata }) => metadata.name === key.name,
  );
  if (found === undefined) throw notFound(resource, key.name);
  return found;
};

/** The answer that shows one object in the form that was asked for. */
export const shown = ({ engine }: HandlerTools, request: ApiRequest, object: StoredObject): Reply => {
  const { resource } = request.route;
  const form = formOf(request.accept);
  if (form === 'metadata') return reply(200, metadataOf(object));
  if (form === 'plain') return reply(200, versionedOf(resource, object));
  const includeObject = request.query.get('includeObject') ?? 'Metadata';
  const table = tableOf(resource, [object], { nowMs: engine.nowMs, includeObject, headers: true });
  return reply(200, { ...table, metadata: { resourceVersion: object.metadata.resourceVersion } });
};

const created = (answer: Reply): Reply => ({ ...answer, status: 201 });

const selectionIn = (request: ApiRequest) =>
  selectionOf(request.route.resource, {
    namespace: request.route.namespace,
    labelSelector: request.query.get('labelSelector') ?? '',
    fieldSelector: request.query.get('fieldSelector') ?? '',
  });

const list = ({ engine, pager, faults }: HandlerTools, request: ApiRequest): Reply => {
  const { query, route } = request;
  const selection = selectionIn(request);
  const how = { form: formOf(request.accept), nowMs: engine.nowMs, includeObject: query.get('includeObject') ?? 'Metadata' };
  const resourceVersion = query.get('resourceVersion') ?? undefined;
  const cached = resourceVersion === '0' && faults.frozenAt !== undefined;
  const continueToken = query.get('continue') || undefined;
  const page = cached
    ? {
        items: selectObjectsAt(engine, route.resource, { selection, version: faults.frozenAt }),
        version: faults.frozenAt,
        continueToken: undefined,
        remaining: undefined,
      }
    : pager.list(route.resource, {
        selection,
        limit: Number(query.get('limit') ?? 0),
        continueToken,
        resourceVersion: continueToken === undefined ? resourceVersion : undefined,
        match: continueToken === undefined ? (query.get('resourceVersionMatch') ?? undefined) : undefined,
      });
  return listReply(route.resource, page, how);
};

const update = ({ engine }: HandlerTools, request: ApiRequest, options: WriteOptions): StoredObject => {
  const { resource } = request.route;
  const body = bodyOf(request);
  const previous = readObject(engine, resource, keyIn(request));
  const version = asObject(body['metadata'])['resourceVersion'];
  const needsVersion = resource.custom || resource.strategy.replacesBlindly === false;
  if (needsVersion && (version === undefined || version === ''))
    throw invalid({ ...resource, kind: resource.plural }, previous.metadata.name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  return updateObject(engine, { resource, previous, body }, options);
};

const PATCH_TYPES: Readonly<Record<string, PatchRequest['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** The kind of patch that a content type announces. Throws an `ApiError` (`UnsupportedMediaType`). */
export const patchTypeOf = (contentType: string): PatchRequest['type'] => {
  const type = PATCH_TYPES[(contentType.split(';')[0] ?? '').trim()];
  if (type !== undefined) return type;
  throw new ApiError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${Object.keys(PATCH_TYPES).join(', ')}`,
  );
};

const patch = (tools: HandlerTools, request: ApiRequest, options: WriteOptions): Reply => {
  const { engine } = tools;
  const { resource, namespace, name = '' } = request.route;
  const type = patchTypeOf(request.contentType);
  const managed = type === 'apply' ? { ...options, fieldManager: request.query.get('fieldManager') ?? undefined } : options;
  const isNew = engine.get(resource.storage, keyOf(resource.namespaced ? namespace : undefined, name)) === undefined;
  const answer = shown(tools, request, patchObject(engine, { resource, namespace, name, type, body: request.body ?? null }, managed));
  return isNew ? created(answer) : answer;
};

const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

const policyIn = (given: JsonObject, query: URLSearchParams): DeleteOptions['propagationPolicy'] => {
  const policy =
    given['propagationPolicy'] ?? query.get('propagationPolicy') ?? (given['orphanDependents'] === true ? 'Orphan' : undefined);
  if (policy === undefined || POLICIES.includes(plainText(policy))) return policy as DeleteOptions['propagationPolicy'];
  const subject = { group: 'meta.k8s.io', plural: '', kind: 'DeleteOptions' };
  throw invalid(subject, '', [unsupported('propagationPolicy', policy, [...POLICIES, 'nil'])]);
};

/** The options in the body or the query of a delete. Throws an `ApiError` for what is none. */
export const deleteOptionsIn = ({ body, query }: ApiRequest, dryRun: boolean): DeleteOptions & { readonly dryRun: boolean } => {
  const { object: given, problem } = decode(isObject(body) ? body : {}, builtInSchema('DeleteOptions'));
  if (problem !== undefined) throw badRequest(problem);
  const grace = given['gracePeriodSeconds'] ?? (query.has('gracePeriodSeconds') ? Number(query.get('gracePeriodSeconds')) : undefined);
  return {
    dryRun,
    gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
    propagationPolicy: policyIn(given, query),
    preconditions: given['preconditions'] as DeleteOptions['preconditions'],
  };
};

const KEPT_ON_SHOW = new Set([
  'pods',
  'namespaces',
  'services',
  'serviceaccounts',
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
  'storageclasses.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'podtemplates',
]);

const remove = (tools: HandlerTools, request: ApiRequest, options: WriteOptions): Reply => {
  const { resource } = request.route;
  const object = readObject(tools.engine, resource, keyIn(request));
  options.admit({ operation: 'DELETE', resource, object: undefined, oldObject: asJson(object) });
  const removal = removeObject(tools.engine, { resource, object }, deleteOptionsIn(request, options.dryRun));
  if (!removal.gone || KEPT_ON_SHOW.has(resource.storage)) return shown(tools, request, removal.object);
  const { name, uid } = object.metadata;
  const details = { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural, uid };
  return reply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
};

const removeAll = (tools: HandlerTools, request: ApiRequest, options: WriteOptions): Reply => {
  const { engine } = tools;
  const { resource } = request.route;
  const deleteOptions = deleteOptionsIn(request, options.dryRun);
  const removed = selectObjects(engine, resource, selectionIn(request)).flatMap(({ metadata: { uid } }) => {
    // One that went may have taken others of them along.
    const object = engine.store.find(uid);
    if (object === undefined) return [];
    options.admit({ operation: 'DELETE', resource, object: undefined, oldObject: asJson(object) });
    return [removeObject(engine, { resource, object }, deleteOptions).object];
  });
  const page = { items: removed, version: engine.store.version, continueToken: undefined, remaining: undefined };
  return listReply(resource, page, { form: formOf(request.accept), nowMs: engine.nowMs, includeObject: 'Metadata' });
};
