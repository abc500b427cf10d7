import type { Column } from '../columns/column.ts';
import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { apiVersionOf } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';

/** The form that a client asked for its objects in. */
export type Form = 'plain' | 'table' | 'metadata';

/** Reads the Accept header. Throws an `ApiError` (`NotAcceptable`) when JSON is not accepted. */
export const formOf = (accept: string): Form => {
  const choices = accept.split(',').map((choice) => choice.trim());
  for (const choice of choices) {
    if (!/^(application\/(json|\*)|\*\/\*)/.test(choice) && choice !== '') continue;
    if (choice.includes('as=Table')) return 'table';
    if (choice.includes('as=PartialObjectMetadata')) return 'metadata';
    return 'plain';
  }
  throw new ApiError('NotAcceptable', 'only the following media types are accepted: application/json');
};

/** An object as the requested version has it. */
export const versionedOf = (resource: Resource, object: StoredObject): JsonObject =>
  resource.conversion === undefined ? asJson(object) : resource.conversion.fromStored(asJson(object));

/** Only what every object has. */
export const metadataOf = (object: StoredObject): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata as unknown as JsonObject,
});

const columnDefinition = ({ name, type, format, description, priority }: Column): JsonObject => ({
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
export const tableOf = (resource: Resource, objects: readonly StoredObject[], options: TableOptions): JsonObject => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: {},
  columnDefinitions: options.headers ? resource.columns.map(columnDefinition) : [],
  rows: objects.map((object) => ({
    cells: resource.columns.map(({ cell }) => cell(object, options.nowMs)),
    ...(options.includeObject === 'None'
      ? {}
      : { object: options.includeObject === 'Object' ? versionedOf(resource, object) : metadataOf(object) }),
  })),
});

/** The head of a list: everything but its items. */
export const listHead = (resource: Resource, metadata: JsonObject): JsonObject => ({
  kind: resource.listKind,
  apiVersion: apiVersionOf(resource),
  metadata,
});
