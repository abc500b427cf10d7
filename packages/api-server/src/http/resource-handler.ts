import { asRecord, type JsonObject, plainText, textAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { conflict, failure, methodNotAllowed, notFound, otherNamespace, STALE_OBJECT } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import { createObject } from '../verbs/create.ts';
import { refuseOtherName, requireVersion } from '../verbs/identity.ts';
import { listOptionsOf } from '../verbs/list-options.ts';
import { onePage } from '../verbs/paging.ts';
import { patchObject, type PatchRequest, unknownPatchType } from '../verbs/patch-object.ts';
import { readObject, requestedVersion, selectObjectsAt } from '../verbs/read.ts';
import { selectionOf } from '../verbs/selection.ts';
import { updateObject } from '../verbs/update.ts';
import type { WriteParams } from '../verbs/write-options.ts';
import { type ApiRequest, writeOptionsOf } from './api-request.ts';
import { handleDelete, removeAll } from './delete-handler.ts';
import { bodyOf, type HandlerTools, includeObjectIn, keyIn, selectionIn, shown } from './handler-tools.ts';
import { formOf, listReply } from './representation.ts';
import type { Reply } from './reply.ts';

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
      return update(tools, request, options);
    case 'patch':
      return patch(tools, request, options);
    case 'delete':
      return handleDelete(tools, request, options);
    case 'deletecollection':
      return removeAll(tools, request, options);
    default:
      throw methodNotAllowed();
  }
};

const read = ({ engine, faults }: HandlerTools, request: ApiRequest): StoredObject => {
  const { resource } = request.route;
  const key = keyIn(request);
  const version = request.query.get('resourceVersion') ?? undefined;
  requestedVersion(engine, version, failure);
  if (version !== '0' || faults.frozenAt === undefined) return readObject(engine, resource, key);
  const selection = selectionOf(resource, { namespace: key.namespace });
  const found = selectObjectsAt(engine, resource, { selection, version: faults.frozenAt }).find(
    ({ metadata }) => metadata.name === key.name,
  );
  if (found === undefined) throw notFound(resource, key.name);
  return found;
};

const created = (answer: Reply): Reply => ({ ...answer, status: 201 });

const list = ({ engine, pager, faults }: HandlerTools, request: ApiRequest): Reply => {
  const { query, route } = request;
  const selection = selectionIn(request);
  const how = {
    form: formOf(request.accept, { ...route.resource, isList: true }),
    nowMs: engine.nowMs,
    includeObject: includeObjectIn(query),
  };
  const options = listOptionsOf(query, 'list');
  const cached = options.resourceVersion === '0' && faults.frozenAt !== undefined;
  const page = cached
    ? onePage(selectObjectsAt(engine, route.resource, { selection, version: faults.frozenAt }), faults.frozenAt)
    : pager.list(route.resource, { ...options, selection });
  return listReply(route.resource, page, how);
};

const update = (tools: HandlerTools, request: ApiRequest, options: WriteParams): Reply => {
  const { engine } = tools;
  const { resource, namespace } = request.route;
  const { name } = keyIn(request);
  const body = bodyOf(request);
  refuseOtherPath(request, body);
  const previous = engine.get(resource.storage, storeKey(resource.namespaced ? namespace : undefined, name));
  if (previous !== undefined) {
    requireVersion(resource, body, previous);
    return shown(tools, request, updateObject(engine, { resource, previous, body }, options));
  }
  if (resource.strategy.createsOnUpdate !== true || options.subresource !== undefined) throw notFound(resource, name);
  refuseNewWithPast(resource, name, body);
  return created(shown(tools, request, createObject(engine, { resource, namespace, body }, options)));
};

/** What a put may not say of an object that it would create. */
const refuseNewWithPast = (resource: Resource, name: string, body: JsonObject): void => {
  const { resourceVersion, uid } = asRecord(body['metadata']);
  if (!['', '0', undefined].includes(resourceVersion as string | undefined)) throw conflict(resource, name, STALE_OBJECT);
  if (uid !== undefined)
    throw conflict(resource, name, `Precondition failed: UID in precondition: ${plainText(uid)}, UID in object meta: `);
};

const refuseOtherPath = ({ route: { resource, name = '', namespace } }: ApiRequest, body: JsonObject): void => {
  refuseOtherName(textAt(body, 'metadata.name'), name);
  const ownNamespace = textAt(body, 'metadata.namespace');
  if (resource.namespaced && ownNamespace !== '' && ownNamespace !== namespace) throw otherNamespace();
};

const PATCH_TYPES: Readonly<Record<string, PatchRequest['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** The kind of patch that a content type announces. Throws an `ApiError` (`UnsupportedMediaType`). */
export const patchTypeOf = ({ contentType, route }: ApiRequest): PatchRequest['type'] => {
  const type = PATCH_TYPES[(contentType.split(';')[0] ?? '').trim()];
  if (type === undefined) throw unknownPatchType(route.resource);
  return type;
};

const patch = (tools: HandlerTools, request: ApiRequest, options: WriteParams): Reply => {
  const { engine } = tools;
  const { resource, namespace, name = '' } = request.route;
  const type = patchTypeOf(request);
  const managed = type === 'apply' ? { ...options, fieldManager: request.query.get('fieldManager') ?? undefined } : options;
  const isNew = engine.get(resource.storage, storeKey(resource.namespaced ? namespace : undefined, name)) === undefined;
  const answer = shown(tools, request, patchObject(engine, { resource, namespace, name, type, body: request.body ?? null }, managed));
  return isNew ? created(answer) : answer;
};
