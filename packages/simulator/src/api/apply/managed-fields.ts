import { timestampOf } from '../engine/timestamp.ts';
import type { JsonObject } from '../json/json.ts';
import { asObject } from '../json/json.ts';
import { objectIn, objectsAt, textAt } from '../json/value-at.ts';
import type { Resource } from '../resources/resource.ts';
import { apiVersionOf } from '../resources/resource.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';
import { changedFields, fieldsOf, fromFieldsV1, toFieldsV1 } from './field-paths.ts';
import { difference, union } from './path-sets.ts';

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
    paths: fromFieldsV1(asObject(entry['fieldsV1'])),
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

/** Notes in the object who owns what after a create or an update that is no apply. */
export const recordUpdate = (
  change: { readonly resource: Resource; readonly next: JsonObject; readonly previous: StoredObject | undefined },
  writer: Writer,
): void => {
  const { resource, next, previous } = change;
  const before = previous === undefined ? new Map<string, never>() : fieldsOf(asJson(previous), resource.schema);
  const { changed, removed } = changedFields(before, fieldsOf(next, resource.schema));
  if (changed.size === 0 && removed.size === 0) return;
  const mine = identityOf(resource, writer);
  const known = ownershipsOf(next);
  const others = known
    .filter((one) => !isSame(one, mine))
    .map((one) => ({ ...one, paths: difference(difference(one.paths, changed), removed) }));
  const own = known.find((one) => isSame(one, mine));
  const paths = union(difference(own?.paths ?? new Set(), removed), changed);
  const entry = { ...mine, time: changed.size > 0 ? timestampOf(writer.nowMs) : (own?.time ?? mine.time), paths };
  objectIn(next, 'metadata')['managedFields'] = managedFieldsOf([...others, entry]);
};

const identityOf = (resource: Resource, { manager, nowMs, subresource }: Writer): Ownership => ({
  manager,
  operation: 'Update',
  apiVersion: apiVersionOf(resource),
  subresource: subresource ?? '',
  time: timestampOf(nowMs),
  paths: new Set(),
});

/** Whether two ownerships are one entry. */
export const isSame = (a: Ownership, b: Ownership): boolean =>
  a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource && a.apiVersion === b.apiVersion;
