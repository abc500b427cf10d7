import { kubeTime } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { asRecord, type JsonObject, plainText, textAt, thaw } from '../json/json.ts';
import { apiVersionIn, type Resource, versionedOf } from '../resources/resource.ts';
import { ApiError } from '../status/api-error.ts';
import { requiredAt } from '../status/field-error.ts';
import { badRequest, conflict, failure, invalidOptions, otherName, otherNamespace } from '../status/refusals.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { createObject } from '../verbs/create.ts';
import { decodeBody } from '../verbs/request-body.ts';
import { updateObject } from '../verbs/update.ts';
import type { WriteParams } from '../verbs/write-options.ts';
import { changedFields, fieldPathsOf, pathText } from './field-paths.ts';
import { comparingOf, isSame, managedFieldsOf, type Ownership, ownershipsOf } from './managed-fields.ts';
import { mergeApplied, withoutFields } from './merge-applied.ts';

/** What is applied, and where. */
export interface ApplyRequest {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly live: StoredObject | undefined;
  readonly body: JsonObject;
}

/**
 * Server-side apply: creates or merges, and answers `Conflict` when another manager owns a field that would change
 * (unless forced).
 */
export const applyObject = (engine: Engine, request: ApplyRequest, options: WriteParams): StoredObject => {
  const manager = options.fieldManager;
  if (manager === undefined || manager === '')
    throw invalidOptions('PatchOptions', requiredAt('fieldManager', 'is required for apply patch'));
  const applied = writtenThrough(request, configurationOf(request), options);
  const paths = new Set(fieldPathsOf(applied, request.resource.schema, 'applied').keys());
  const mine: Ownership = {
    manager,
    operation: 'Apply',
    apiVersion: apiVersionIn(request.resource),
    subresource: options.subresource ?? '',
    time: kubeTime(engine.nowMs),
    paths,
  };
  const { live } = request;
  if (live === undefined) return createApplied(engine, { request, applied, mine }, options);
  return mergeIntoLive(engine, { request, applied, mine, live }, options);
};

const configurationOf = ({ resource, namespace, body, name }: ApplyRequest): JsonObject => {
  if (asRecord(body['metadata'])['managedFields'] !== undefined) throw badRequest('metadata.managedFields must be nil');
  refuseOtherType(resource, body);
  const given = textAt(body, 'metadata.name');
  if (given !== '' && given !== name) throw otherName(given, name);
  const ownNamespace = textAt(body, 'metadata.namespace');
  if (resource.namespaced && ownNamespace !== '' && ownNamespace !== namespace) throw otherNamespace();
  const untyped = (problem: string): ApiError => failure(untypedText(resource, given, problem));
  const { object, unknownFields } = decodeBody(resource, body, { refuseBody: untyped });
  if (unknownFields[0] !== undefined) throw untyped(`.${unknownFields[0]}: field not declared in schema`);
  return { ...object, apiVersion: apiVersionIn(resource), kind: resource.kind, metadata: { ...asRecord(object['metadata']), name } };
};

const refuseOtherType = (resource: Resource, body: JsonObject): void => {
  const [apiVersion, kind] = [textAt(body, 'apiVersion'), textAt(body, 'kind')];
  if (kind === resource.kind && apiVersion === apiVersionIn(resource)) return;
  const version = apiVersion.includes('/') || apiVersion === '' ? apiVersion : `/${apiVersion}`;
  throw badRequest(`invalid object type: ${version === '' ? '/' : version}, Kind=${kind}`);
};

const untypedText = (resource: Resource, name: string, problem: string): string =>
  `failed to create typed patch object (/${name}; ${apiVersionIn(resource)}, Kind=${resource.kind}): ${problem}`;

/** What the endpoint writes: the object without its status, or its status alone. The rest is neither written nor owned. */
const writtenThrough = ({ resource, live }: ApplyRequest, applied: JsonObject, { subresource }: WriteParams): JsonObject => {
  const isNewWithStatus = live === undefined && resource.strategy.keepsStatusOnCreate === true;
  if (!resource.hasStatus || isNewWithStatus) return applied;
  const { status, ...others } = applied;
  if (subresource !== 'status') return others;
  const { name, uid, resourceVersion } = asRecord(applied['metadata']);
  const { apiVersion, kind } = applied;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion }, ...(status === undefined ? {} : { status }) };
};

interface Applying {
  readonly request: ApplyRequest;
  readonly applied: JsonObject;
  readonly mine: Ownership;
}

const createApplied = (engine: Engine, { request, applied, mine }: Applying, options: WriteParams): StoredObject => {
  const { resource, namespace, name } = request;
  const { uid, resourceVersion: _, ...metadata } = asRecord(applied['metadata']);
  if (uid !== undefined)
    throw conflict(resource, name, `uid mismatch: the provided object specified uid ${plainText(uid)}, and no existing object was found`);
  const body = thaw({ ...applied, metadata });
  return createObject(engine, { resource, namespace, body, managedFields: managedFieldsOf([mine]) }, options);
};

const mergeIntoLive = (engine: Engine, work: Applying & { readonly live: StoredObject }, options: WriteParams): StoredObject => {
  const { request, applied, mine, live } = work;
  const { schema } = request.resource;
  const current = versionedOf(request.resource, live);
  const reading = comparingOf(request.resource);
  const before = fieldPathsOf(current, schema, reading);
  const known = ownershipsOf(asJson(live));
  const others = known.filter((one) => !isSame(one, mine));
  const previous = known.find((one) => isSame(one, mine));

  const merged = mergeApplied(current, applied, schema);
  const { changed } = changedFields(before, fieldPathsOf(merged, schema, reading));
  const contested = mine.paths.intersection(changed);
  if (!options.force) refuseConflicts(others, contested);

  const owned = others.map((one) => ({ ...one, paths: one.paths.difference(contested) }));
  const held = owned.reduce((all, one) => all.union(one.paths), mine.paths);
  const dropped = (previous?.paths ?? new Set<string>()).difference(held);
  const body = withoutFields(merged, schema, dropped);
  const { removed } = changedFields(before, fieldPathsOf(body, schema, reading));
  const kept = owned.map((one) => ({ ...one, paths: one.paths.difference(removed) }));
  const time = contested.size > 0 || dropped.size > 0 || previous === undefined ? mine.time : previous.time;
  const managedFields = managedFieldsOf([{ ...mine, time }, ...kept]);
  return updateObject(engine, { resource: request.resource, previous: live, body: thaw(body), managedFields }, options);
};

const refuseConflicts = (others: readonly Ownership[], contested: ReadonlySet<string>): void => {
  const conflicts = others.flatMap((one) =>
    [...one.paths.intersection(contested)].sort().map((path) => ({ who: nameOf(one), field: pathText(path) })),
  );
  if (conflicts.length === 0) return;
  const byManager = Map.groupBy(conflicts, ({ who }) => who);
  const lines = [...byManager].map(([who, fields]) =>
    fields.length === 1
      ? `conflict with ${who}: ${fields.map(({ field }) => field).join('')}`
      : `conflicts with ${who}:\n${fields.map(({ field }) => `- ${field}`).join('\n')}`,
  );
  throw new ApiError(
    'Conflict',
    `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}: ${lines.join('\n')}`,
    {
      causes: conflicts.map(({ who, field }) => ({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field })),
    },
  );
};

const nameOf = ({ manager, operation, subresource, apiVersion }: Ownership): string => {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(manager)}${through}${using}`;
};
