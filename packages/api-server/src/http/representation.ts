import type { TableColumn } from '../columns/column.ts';
import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { apiVersionIn } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';

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

/** An object as the requested version has it. */
export const versionedOf = (resource: Resource, object: StoredObject): JsonObject =>
  resource.conversion === undefined ? asJson(object) : resource.conversion.fromStored(asJson(object));

/** The kind of an object whose metadata alone is shown. */
export const PARTIAL = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };

/** Only what every object has. */
export const metadataOf = (object: StoredObject): JsonObject => ({
  ...PARTIAL,
  metadata: object.metadata as unknown as JsonObject,
});

const columnDefinition = ({ name, type, format, description, priority }: TableColumn): JsonObject => ({
  name,
  type,
  format,
  description,
  priority,
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
  columnDefinitions: options.headers ? resource.columns.map(columnDefinition) : null,
  rows: objects.map((object) => ({
    cells: resource.columns.map(({ cell }) => cell(object, options.nowMs)),
    object: shownInRow(resource, object, options.includeObject),
  })),
});

const shownInRow = (resource: Resource, object: StoredObject, includeObject: string): JsonObject | null => {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? versionedOf(resource, object) : metadataOf(object);
};

/** The head of a list: everything but its items. */
export const listHead = (resource: Resource, metadata: JsonObject): JsonObject => ({
  kind: resource.listKind,
  apiVersion: apiVersionIn(resource),
  metadata,
});
