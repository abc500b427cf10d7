import type { JsonObject } from '../json/json.ts';
import { apiVersionIn, type Resource, versionedOf } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { ListPage } from '../verbs/paging.ts';
import type { Reply } from './reply.ts';

/** The form that a client asked for its objects in. */
export type ReplyForm = 'plain' | 'table' | 'metadata';

/** The media types that objects are read and written in. */
export const MEDIA_TYPES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const WATCHED = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

const notAcceptable = (message: string): ApiError => new ApiError('NotAcceptable', message);

/**
 * Reads the Accept header of a request for one object or for many. Throws an `ApiError` (`NotAcceptable`) for what
 * cannot be had.
 */
export const formOf = (accept: string, { isList, kind, custom }: FormOf): ReplyForm => {
  const choices = accept.split(',').map((choice) => choice.trim());
  const readable = choices.filter((choice) => choice === '' || /^(application\/(json|\*)|\*\/\*)/.test(choice));
  if (readable.length === 0)
    throw new ApiError('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${MEDIA_TYPES}${isList ? WATCHED : ''}`, {});
  const choice = readable.map((text) => /as=(\w+)/.exec(text)?.[1] ?? '').find((wanted, at) => wanted === '' || isKnown(readable[at]));
  if (choice === undefined) throw notAcceptable(`only the following media types are accepted: ${MEDIA_TYPES}`);
  const form = FORMS[isList ? 'list' : 'one'][choice];
  if (form !== undefined) return form;
  const goType = custom ? 'unstructured.Unstructured' : `core.${kind}`;
  const what = isList ? `a list (*${goType}List)` : `not a list (*${goType})`;
  throw notAcceptable(`you requested ${choice}, but the requested object is ${what}`);
};

const isKnown = (choice = ''): boolean => /v=v1(beta1)?\b/.test(choice);

const FORMS: Readonly<Record<'list' | 'one', Readonly<Record<string, ReplyForm>>>> = {
  one: { '': 'plain', Table: 'table', PartialObjectMetadata: 'metadata' },
  list: { '': 'plain', Table: 'table', PartialObjectMetadataList: 'metadata' },
};

/** The form of the events of a watch: each shows one object, but unsupported forms are refused as for a list. */
export const watchedFormOf = (accept: string, resource: Resource): ReplyForm =>
  formOf(accept, { ...resource, isList: !accept.includes('as=PartialObjectMetadata;') });

/** What is shown: one object of a kind, or many. */
type FormOf = Pick<Resource, 'kind' | 'custom'> & { readonly isList: boolean };

/** The kind of an object whose metadata alone is shown. */
export const PARTIAL = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };

/** Only what every object has. */
export const metadataOf = (object: StoredObject): JsonObject => ({
  ...PARTIAL,
  metadata: object.metadata as unknown as JsonObject,
});

/** How a Table is made. */
export interface TableOptions {
  readonly nowMs: number;
  readonly includeObject: string;
  readonly headers: boolean;
}

/** Objects as a meta.k8s.io/v1 Table. */
export const apiTableOf = (resource: Resource, objects: readonly StoredObject[], options: TableOptions): JsonObject => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: {},
  columnDefinitions: options.headers ? resource.columns.map(({ cell: _, ...definition }) => definition) : null,
  rows: objects.map((object) => ({
    cells: resource.columns.map(({ cell }) => cell(object, options.nowMs)),
    object: shownInRow(resource, object, options.includeObject),
  })),
});

const shownInRow = (resource: Resource, object: StoredObject, includeObject: string): JsonObject | null => {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? versionedOf(resource, object) : metadataOf(object);
};

const PART_BYTES = 262_144;

/** A page of a list in the requested form. */
export const listReply = (
  resource: Resource,
  page: ListPage,
  how: { readonly form: ReplyForm; readonly nowMs: number; readonly includeObject: string },
): Reply => {
  const metadata: JsonObject = {
    resourceVersion: String(page.version),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.continueToken === undefined && resource.custom && how.form === 'plain' ? { continue: '' } : {}),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  if (how.form === 'table') return { status: 200, body: { ...apiTableOf(resource, page.items, { ...how, headers: true }), metadata } };
  const partial = how.form === 'metadata';
  const head = partial
    ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata }
    : { kind: resource.listKind, apiVersion: apiVersionIn(resource), metadata };
  const itemOf = (object: StoredObject): JsonObject => (partial ? metadataOf(object) : listItemOf(resource, object));
  return { status: 200, parts: streamed(head, page.items, itemOf) };
};

/** Items of built-in kinds do not say what they are: their list does. */
const listItemOf = (resource: Resource, object: StoredObject): JsonObject => {
  const item = versionedOf(resource, object);
  return resource.custom ? item : { ...item, apiVersion: undefined, kind: undefined };
};

const streamed = function* (
  head: JsonObject,
  items: readonly StoredObject[],
  itemOf: (object: StoredObject) => JsonObject,
): Generator<string> {
  let part = `${JSON.stringify(head).slice(0, -1)},"items":[`;
  let separator = '';
  for (const item of items) {
    part += separator + JSON.stringify(itemOf(item));
    separator = ',';
    if (part.length < PART_BYTES) continue;
    yield part;
    part = '';
  }
  yield `${part}]}`;
};
