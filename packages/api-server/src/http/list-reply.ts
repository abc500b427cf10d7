import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { ListPage } from '../verbs/paging.ts';
import type { ReplyForm } from './representation.ts';
import { listHead, metadataOf, apiTableOf, versionedOf } from './representation.ts';
import type { Reply } from './reply.ts';

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
  const head = partial ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata } : listHead(resource, metadata);
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
