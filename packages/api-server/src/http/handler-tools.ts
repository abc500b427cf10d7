import type { Gate } from '../access/gate.ts';
import type { Engine } from '../engine/engine.ts';
import type { FaultBox } from '../faults/fault-box.ts';
import type { JsonObject } from '../json/json.ts';
import { objectBody } from '../schema/object-body.ts';
import type { PolicyGate } from '../policies/admit.ts';
import { invalidValue, textOf } from '../status/field-error.ts';
import { badRequest, unknownFormat } from '../status/refusals.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Pager } from '../verbs/paging.ts';
import { type ObjectSelection, selectionOf } from '../verbs/selection.ts';
import type { ApiRequest } from './api-request.ts';
import { type Reply, reply } from './reply.ts';
import { formOf, MEDIA_TYPES, metadataOf, apiTableOf } from './representation.ts';
import { versionedOf } from '../resources/resource.ts';

/** What the handlers of one server share. */
export interface HandlerTools {
  readonly engine: Engine;
  readonly pager: Pager;
  readonly faults: FaultBox;
  readonly policies: PolicyGate;
  readonly gate: Gate;
}

/** Which object a request names. */
export const keyIn = ({ route }: ApiRequest) => ({ namespace: route.namespace, name: route.name ?? '' });

/** The body as an object. Throws an `ApiError` when there is none. */
export const bodyOf = ({ body, contentType, route }: ApiRequest): JsonObject => {
  if (!/^$|json|yaml|protobuf/.test(contentType)) throw unknownFormat(MEDIA_TYPES);
  return objectBody(body, route.resource.kind);
};

/** The answer with one object in the requested form. */
export const shown = ({ engine }: HandlerTools, request: ApiRequest, object: StoredObject): Reply => {
  const { resource } = request.route;
  const form = formOf(request.accept, { ...resource, isList: false });
  if (form === 'metadata') return reply(200, metadataOf(object));
  if (form === 'plain') return reply(200, versionedOf(resource, object));
  const includeObject = includeObjectIn(request.query);
  const table = apiTableOf(resource, [object], { nowMs: engine.nowMs, includeObject, headers: true });
  return reply(200, { ...table, metadata: { resourceVersion: object.metadata.resourceVersion } });
};

const INCLUDED = ['', 'Metadata', 'Object', 'None'];

/** What the rows of a Table show of their objects. Throws an `ApiError` (`BadRequest`) for what is none of the choices. */
export const includeObjectIn = (query: URLSearchParams): string => {
  const wanted = query.get('includeObject') ?? '';
  if (INCLUDED.includes(wanted)) return wanted === '' ? 'Metadata' : wanted;
  const why = "must be 'Metadata', 'Object', 'None', or empty";
  throw badRequest(`Unable to convert to Table as requested: ${textOf(invalidValue('includeObject', wanted, why))}`);
};

/** What the query of a request selects. */
export const selectionIn = (request: ApiRequest): ObjectSelection =>
  selectionOf(request.route.resource, {
    namespace: request.route.namespace,
    labelSelector: request.query.get('labelSelector') ?? '',
    fieldSelector: request.query.get('fieldSelector') ?? '',
  });
