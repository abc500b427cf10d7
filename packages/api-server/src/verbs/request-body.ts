import { asRecord, type JsonObject, objectIn, textAt } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import type { Decoded } from '../schema/decode.ts';
import { dropEmpty } from '../schema/wire-form.ts';
import { badRequest } from '../status/refusals.ts';
import { reportUnknownFields, unreadable, type WriteParams } from './write-options.ts';

/** Reads a body as the stored form of a resource. The result is the caller's to change. */
export const storedFormOf = (resource: Resource, body: JsonObject, options: WriteParams): JsonObject => {
  const [apiVersion, kind] = [textAt(body, 'apiVersion'), textAt(body, 'kind')];
  const expected = apiVersionIn(resource);
  if (kind !== '' && (kind !== resource.kind || (apiVersion !== '' && apiVersion !== expected))) {
    const problem = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
    throw (
      options.refuseBody?.(problem) ?? badRequest(`${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind}: ${problem}`)
    );
  }
  const { object, unknownFields } = decodeBody(resource, body, options);
  reportUnknownFields(resource, unknownFields, options);
  if (!resource.custom) dropEmpty(object, resource.schema);
  object['apiVersion'] = expected;
  object['kind'] = resource.kind;
  const metadata = objectIn(object, 'metadata');
  delete metadata['selfLink'];
  for (const list of ['labels', 'annotations', 'finalizers', 'ownerReferences']) dropEmptyList(metadata, list);
  return resource.conversion === undefined ? object : resource.conversion.toStored(object);
};

/** Reads a body as a resource. Throws an `ApiError` (`BadRequest`) when a member has the wrong type. */
export const decodeBody = (resource: Resource, body: JsonObject, options: Pick<WriteParams, 'refuseBody'>): Decoded => {
  const read = resource.decode(body);
  if (read.problem !== undefined) throw unreadable(resource, read.problem, options);
  return read;
};

const dropEmptyList = (metadata: JsonObject, member: string): void => {
  const value = metadata[member];
  const empty = Array.isArray(value) ? value.length === 0 : value !== undefined && Object.keys(asRecord(value)).length === 0;
  if (empty || value === null) Reflect.deleteProperty(metadata, member);
};
