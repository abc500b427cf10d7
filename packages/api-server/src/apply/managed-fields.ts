import { kubeTime } from '@karpenter/runtime';
import { asRecord, type JsonObject, type JsonValue, objectIn, objectsAt, textAt } from '../json/json.ts';
import { apiVersionIn, type Resource } from '../resources/resource.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { changedFields, fieldPathsOf, type FieldReading, fromFieldsV1, toFieldsV1 } from './field-paths.ts';

/** One manager's part of an object. */
export interface Ownership {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string;
  readonly paths: ReadonlySet<string>;
}

/** Who writes, when, and through which subresource. */
export interface Writer {
  readonly manager: string;
  readonly nowMs: number;
  readonly subresource: string | undefined;
}

/** Reads `metadata.managedFields`. */
export const ownershipsOf = (object: JsonObject): readonly Ownership[] =>
  objectsAt(object, 'metadata.managedFields').map((entry) => ({
    manager: textAt(entry, 'manager'),
    operation: textAt(entry, 'operation') === 'Apply' ? 'Apply' : 'Update',
    apiVersion: textAt(entry, 'apiVersion'),
    subresource: textAt(entry, 'subresource'),
    time: textAt(entry, 'time'),
    paths: fromFieldsV1(asRecord(entry['fieldsV1'])),
  }));

/** `metadata.managedFields` of ownerships; those that own nothing are left out. */
export const managedFieldsOf = (ownerships: readonly Ownership[]): JsonObject[] =>
  ownerships
    .filter(({ paths }) => paths.size > 0)
    .map(({ manager, operation, apiVersion, subresource, time, paths }) => ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(paths),
      ...(subresource === '' ? {} : { subresource }),
    }));

/** An object and what it was before; undefined when it is new. */
interface Change {
  readonly resource: Resource;
  readonly next: JsonObject;
  readonly previous: StoredObject | undefined;
}

const changesOf = ({ resource, next, previous }: Change): ReturnType<typeof changedFields> => {
  const reading = comparingOf(resource);
  const before = previous === undefined ? new Map<string, never>() : fieldPathsOf(asJson(previous), resource.schema, reading);
  return changedFields(before, fieldPathsOf(next, resource.schema, reading));
};

/** Notes in the object who owns what after a create or an update that is no apply. What was owned by nobody stays so. */
export const recordUpdate = (change: Change, writer: Writer): void => {
  const { resource, next, previous } = change;
  if (previous !== undefined && previous.metadata.managedFields === undefined) return;
  const { changed, removed } = changesOf(change);
  if (changed.size === 0 && removed.size === 0) return;
  const mine = identityOf(resource, writer);
  const metadata = objectIn(next, 'metadata');
  const known = ownershipsOf(next);
  const others = known
    .filter((one) => !isSame(one, mine))
    .map((one) => ({ ...one, paths: one.paths.difference(changed).difference(removed) }));
  const own = known.find((one) => isSame(one, mine));
  const paths = (own?.paths ?? new Set<string>()).difference(removed).union(changed);
  const entry = { ...mine, time: changed.size > 0 ? kubeTime(writer.nowMs) : (own?.time ?? mine.time), paths };
  setOwners(metadata, managedFieldsOf([...others, entry]));
};

/** An object without managers has no list, rather than an empty one. */
export const setOwners = (metadata: JsonObject, entries: readonly JsonValue[]): void => {
  if (entries.length === 0) delete metadata['managedFields'];
  else metadata['managedFields'] = [...entries];
};

/** How objects of a resource are read to compare them. */
export const comparingOf = ({ custom }: Resource): FieldReading => (custom ? 'comparedCustom' : 'compared');

const identityOf = (resource: Resource, { manager, nowMs, subresource }: Writer): Ownership => ({
  manager,
  operation: 'Update',
  apiVersion: apiVersionIn(resource),
  subresource: subresource ?? '',
  time: kubeTime(nowMs),
  paths: new Set(),
});

/** Whether two ownerships are one entry. */
export const isSame = (a: Ownership, b: Ownership): boolean =>
  a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource && a.apiVersion === b.apiVersion;
