import { asRecord, type JsonObject, objectsAt, textAt, valueAt } from '../json/json.ts';
import { canonicalQuantity, NANO, inNanos } from '../quantity/quantity.ts';
import type { ApiObject } from '../public/local-api.ts';
import type { StoredObject } from '../store/stored-object.ts';

const CORE_COUNTS = ['configmaps', 'persistentvolumeclaims', 'pods', 'replicationcontrollers', 'resourcequotas', 'secrets', 'services'];

/** Compute resources that a quota names without `requests.`. */
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];

const isOver = (pod: StoredObject): boolean => ['Succeeded', 'Failed'].includes(textAt(pod, 'status.phase'));

/** `requests.cpu` → where a container states it; undefined for what containers do not state. */
const computeOf = (name: string): { readonly list: string; readonly resource: string } | undefined => {
  if (COMPUTE.includes(name)) return { list: 'requests', resource: name };
  const [list, resource] = [name.slice(0, name.indexOf('.')), name.slice(name.indexOf('.') + 1)];
  return ['limits', 'requests'].includes(list) && resource !== 'storage' ? { list, resource } : undefined;
};

/** What one object of a resource takes of a quota's entry, in nanos. */
export const takenOf = (name: string, storage: string, object: StoredObject): bigint => {
  if (storage === 'pods' && isOver(object)) return 0n;
  if (name === `count/${storage}` || (CORE_COUNTS.includes(name) && name === storage)) return NANO;
  if (name === 'requests.storage')
    return storage === 'persistentvolumeclaims' ? inNanos(valueAt(object, 'spec.resources.requests.storage')) : 0n;
  const compute = computeOf(name);
  if (compute === undefined || storage !== 'pods') return 0n;
  return objectsAt(object, 'spec.containers').reduce(
    (sum, { resources }) => sum + inNanos(asRecord(asRecord(resources)[compute.list])[compute.resource]),
    0n,
  );
};

/** Containers of a pod that do not state what an entry of a quota limits. */
export const silentContainers = (name: string, pod: StoredObject): readonly string[] => {
  const compute = computeOf(name);
  if (compute === undefined) return [];
  return objectsAt(pod, 'spec.containers')
    .filter(({ resources }) => asRecord(asRecord(resources)[compute.list])[compute.resource] === undefined)
    .map((container) => textAt(container, 'name'));
};

/** The resource whose objects an entry counts. */
const storageOf = (name: string): string => {
  if (name.startsWith('count/')) return name.slice('count/'.length);
  if (name === 'requests.storage') return 'persistentvolumeclaims';
  return CORE_COUNTS.includes(name) ? name : 'pods';
};

/** The objects of a resource in the namespace of a quota; none of a resource that is not served. */
export type QuotaObjects = (storage: string) => readonly StoredObject[];

/** What the objects of a namespace take of an entry, in nanos. Costs the objects of one resource in the namespace. */
export const usedIn = (objectsOf: QuotaObjects, name: string): bigint => {
  const storage = storageOf(name);
  return objectsOf(storage).reduce((sum, object) => sum + takenOf(name, storage, object), 0n);
};

/** The status that a quota has with the objects of its namespace. */
export const quotaStatusOf = (quota: ApiObject, objectsOf: QuotaObjects): { readonly hard: object; readonly used: object } => {
  const hard = asRecord(valueAt(quota, 'spec.hard'));
  const used = Object.keys(hard).map((name) => [name, quantityText(name, usedIn(objectsOf, name))]);
  return { hard, used: Object.fromEntries(used) as JsonObject };
};

/** Nanos as a quantity, in the unit that people use for the entry. */
export const quantityText = (name: string, nanos: bigint): string =>
  canonicalQuantity({ nanos, format: /memory|storage/.test(name) ? 'BinarySI' : 'DecimalSI' });
