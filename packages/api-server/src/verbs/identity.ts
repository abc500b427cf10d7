import { type JsonObject, textAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import type { ApiError } from '../status/api-error.ts';
import { invalidValue } from '../status/field-error.ts';
import { badRequest, conflict, failure, invalid, notANumber, otherName, STALE_OBJECT } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';

/** Throws an `ApiError` (`Invalid`) when an update must say which version it changes, and does not. */
export const requireVersion = (
  { custom, strategy, ...subject }: Resource,
  body: JsonObject,
  { metadata: { name, uid } }: StoredObject,
): void => {
  const isFree = !custom && strategy.replacesBlindly !== false;
  const isOther = !['', uid].includes(textAt(body, 'metadata.uid'));
  if (isFree || isOther || !['', '0'].includes(textAt(body, 'metadata.resourceVersion'))) return;
  throw invalid({ ...subject, kind: subject.plural }, name, [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ]);
};

/** 409 for an object with another uid or version than a write expects. A real server names its key in etcd. */
export const unmet = (
  { custom, group, plural, ...rest }: Resource,
  { metadata }: StoredObject,
  { what, wanted, found }: { readonly what: 'UID' | 'ResourceVersion'; readonly wanted: string; readonly found: string },
): ApiError => {
  const place = `${custom ? `${group}/` : ''}${plural === 'nodes' ? 'minions' : plural}`;
  const key = `/registry/${place}/${storeKey(metadata.namespace, metadata.name)}`;
  const why = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  return conflict(
    { ...rest, group, plural },
    metadata.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
  );
};

/** Throws an `ApiError` when an object does not say the name that its path has. */
export const refuseOtherName = (given: string, name: string): void => {
  if (given === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw otherName(given, name);
};

/**
 * Throws an `ApiError` when what an update brings is another object than the one that is there, or a change of an older
 * version.
 */
export const refuseOtherObject = (resource: Resource, next: JsonObject, previous: StoredObject): void => {
  const { name, uid, resourceVersion, deletionTimestamp } = previous.metadata;
  const given = (member: string): string => textAt(next, `metadata.${member}`);
  refuseOtherName(given('name'), name);
  const version = given('resourceVersion');
  if (!/^\d*$/.test(version)) throw failure(notANumber(version, 'ParseUint'));
  if (!['', uid].includes(given('uid'))) throw unmet(resource, previous, { what: 'UID', wanted: given('uid'), found: uid });
  if (!['', '0', resourceVersion].includes(version)) throw conflict(resource, name, STALE_OBJECT);
  if (!['', deletionTimestamp].includes(given('deletionTimestamp')))
    throw invalid(resource, name, [invalidValue('metadata.deletionTimestamp', given('deletionTimestamp'), 'field is immutable')]);
};
