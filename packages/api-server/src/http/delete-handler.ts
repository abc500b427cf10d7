import type { LocalDeleteOptions } from '../public/local-api.ts';
import { asRecord, isObject, type JsonObject, plainText, textAt } from '../json/json.ts';
import { builtInSchema } from '../schema/built-in-schemas.ts';
import { decode } from '../schema/decode.ts';
import { kindlessText } from '../schema/object-body.ts';
import { invalidValue, unsupported } from '../status/field-error.ts';
import { badRequest, forbidden, invalidOptions, notANumber } from '../status/refusals.ts';
import { asJson } from '../store/stored-object.ts';
import { listOptionsOf } from '../verbs/list-options.ts';
import { onePage } from '../verbs/paging.ts';
import { readObject, selectObjects } from '../verbs/read.ts';
import { removeObject } from '../verbs/remove.ts';
import type { WriteParams } from '../verbs/write-options.ts';
import type { ApiRequest } from './api-request.ts';
import { type HandlerTools, keyIn, selectionIn, shown } from './handler-tools.ts';
import { formOf, listReply } from './representation.ts';
import { type Reply, reply } from './reply.ts';

const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

const policyIn = (given: JsonObject, query: URLSearchParams): LocalDeleteOptions['propagationPolicy'] => {
  const policy =
    given['propagationPolicy'] ?? query.get('propagationPolicy') ?? (given['orphanDependents'] === true ? 'Orphan' : undefined);
  if (policy === undefined || POLICIES.includes(plainText(policy))) return policy as LocalDeleteOptions['propagationPolicy'];
  throw invalidOptions('DeleteOptions', unsupported('propagationPolicy', policy, [...POLICIES, 'nil']));
};

/** Whether dependents are orphaned may be said in two ways, but not in both. */
const refuseBoth = (given: JsonObject): void => {
  if (given['propagationPolicy'] === undefined || given['orphanDependents'] === undefined) return;
  const why = 'orphanDependents and deletionPropagation cannot be both set';
  throw invalidOptions('DeleteOptions', invalidValue('propagationPolicy', given['propagationPolicy'], why));
};

const OPTIONS_KINDS = new Set(['', 'DeleteOptions']);

const readOptions = (body: ApiRequest['body']): JsonObject => {
  if (body !== undefined && body !== null && !isObject(body)) throw badRequest(kindlessText(body));
  const kind = textAt(body, 'kind');
  if (!OPTIONS_KINDS.has(kind))
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`);
  const { object, problem } = decode(asRecord(body), builtInSchema('DeleteOptions'));
  if (problem !== undefined) throw badRequest(problem);
  refuseBoth(object);
  return object;
};

const graceIn = (given: JsonObject, query: URLSearchParams): number | undefined => {
  const text = query.get('gracePeriodSeconds');
  if (text !== null && !/^[-+]?\d+$/.test(text)) throw badRequest(notANumber(text, 'ParseInt'));
  const grace = given['gracePeriodSeconds'] ?? (text === null ? undefined : Number(text));
  if (typeof grace !== 'number') return undefined;
  return grace < 0 ? 1 : grace;
};

/** The options in the body or the query of a delete. Throws an `ApiError` for what is none. */
export const deleteOptionsIn = (
  { body, query }: Pick<ApiRequest, 'body' | 'query'>,
  dryRun: boolean,
): LocalDeleteOptions & { readonly dryRun: boolean } => {
  const given = readOptions(body);
  return {
    dryRun,
    gracePeriodSeconds: graceIn(given, query),
    propagationPolicy: policyIn(given, query),
    preconditions: given['preconditions'] as LocalDeleteOptions['preconditions'],
  };
};

const PERMANENT = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Answers a delete of one object: with the object while it stays, and for some kinds for the last time; else with a Status.
 */
export const handleDelete = (tools: HandlerTools, request: ApiRequest, options: WriteParams): Reply => {
  const { resource } = request.route;
  const object = readObject(tools.engine, resource, keyIn(request));
  if (resource.storage === 'namespaces' && PERMANENT.has(object.metadata.name))
    throw forbidden(resource, object.metadata.name, { why: 'this namespace may not be deleted' });
  options.admit({ operation: 'DELETE', resource, object: undefined, oldObject: asJson(object) });
  const removal = removeObject(tools.engine, { resource, object }, deleteOptionsIn(request, options.dryRun));
  if (!removal.gone || resource.answersDeleted) return shown(tools, request, removal.object);
  const { name, uid } = object.metadata;
  const details = { name, ...(resource.group === '' ? {} : { group: resource.group }), kind: resource.plural, uid };
  return reply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
};

/** Answers a delete of all that a query selects, with the objects as they were. */
export const removeAll = (tools: HandlerTools, request: ApiRequest, options: WriteParams): Reply => {
  const { engine } = tools;
  const { resource } = request.route;
  listOptionsOf(request.query, 'list');
  const deleteOptions = deleteOptionsIn(request, options.dryRun);
  const removed = selectObjects(engine, resource, selectionIn(request)).flatMap(({ metadata: { uid } }) => {
    // One that went may have taken others of them along.
    const object = engine.store.find(uid);
    if (object === undefined) return [];
    options.admit({ operation: 'DELETE', resource, object: undefined, oldObject: asJson(object) });
    removeObject(engine, { resource, object }, deleteOptions);
    return [object];
  });
  return listReply(resource, onePage(removed, engine.store.version), {
    form: formOf(request.accept, { ...resource, isList: true }),
    nowMs: engine.nowMs,
    includeObject: 'Metadata',
  });
};
