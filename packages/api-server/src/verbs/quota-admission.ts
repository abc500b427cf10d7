import type { Engine } from '../engine/engine.ts';
import { type QuotaObjects, quantityText, silentContainers, takenOf, usedIn } from './quota-usage.ts';
import { asRecord, type JsonObject, textAt, valueAt } from '../json/json.ts';
import { inNanos } from '../quantity/quantity.ts';
import type { Resource } from '../resources/resource.ts';
import { forbidden } from '../status/refusals.ts';
import { asStored, type StoredObject } from '../store/stored-object.ts';

interface Limited {
  readonly name: string;
  readonly requested: bigint;
  readonly used: bigint;
  readonly hard: bigint;
}

/** What an object adds to the objects of its resource. */
interface Addition {
  readonly storage: string;
  readonly object: StoredObject;
}

const limitedBy = (objectsOf: QuotaObjects, quota: StoredObject, { storage, object }: Addition): readonly Limited[] =>
  Object.entries(asRecord(valueAt(quota, 'spec.hard')))
    .map(([name, hard]) => ({ name, hard: inNanos(hard), requested: takenOf(name, storage, object) }))
    .filter(({ requested }) => requested > 0n)
    .map((entry) => ({ ...entry, used: usedIn(objectsOf, entry.name) }))
    .filter(({ requested, used, hard }) => used + requested > hard)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

const listed = (entries: readonly Limited[], amount: 'requested' | 'used' | 'hard'): string =>
  entries.map((entry) => `${entry.name}=${quantityText(entry.name, entry[amount])}`).join(',');

const silenceOf = (quota: StoredObject, pod: StoredObject): string | undefined => {
  const silent = Object.keys(asRecord(valueAt(quota, 'spec.hard')))
    .sort()
    .map((name) => ({ name, containers: silentContainers(name, pod) }))
    .filter(({ containers }) => containers.length > 0);
  if (silent.length === 0) return undefined;
  return `must specify ${silent.map(({ name, containers }) => `${name} for: ${containers.join(',')}`).join('; ')}`;
};

/**
 * The admission plugin ResourceQuota, for new objects. Throws an `ApiError` (`Forbidden`) for one that goes beyond a
 * quota of its namespace.
 */
export const admitQuota = (engine: Engine, resource: Resource, body: JsonObject): void => {
  const namespace = textAt(body, 'metadata.namespace');
  if (namespace === '' || resource.storage === 'events') return;
  const objectsOf: QuotaObjects = (storage) =>
    engine.registry.byStorage(storage) === undefined ? [] : engine.store.table(storage).ordered(namespace);
  for (const quota of engine.store.table('resourcequotas').ordered(namespace)) {
    const object = asStored(body);
    const { name } = quota.metadata;
    const silence = resource.storage === 'pods' ? silenceOf(quota, object) : undefined;
    if (silence !== undefined) throw forbidden(resource, object.metadata.name, { why: `failed quota: ${name}: ${silence}` });
    const over = limitedBy(objectsOf, quota, { storage: resource.storage, object });
    if (over.length === 0) continue;
    const why = `exceeded quota: ${name}, requested: ${listed(over, 'requested')}, used: ${listed(over, 'used')}, limited: ${listed(over, 'hard')}`;
    throw forbidden(resource, object.metadata.name, { why });
  }
};
