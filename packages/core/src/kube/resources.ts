import { memoByText } from '../base/index.ts';
import type { ResourceList } from './object-meta.ts';
import { formatQuantity, millisOf, parseQuantity, unitsOf } from './quantity.ts';
import type { Quantity } from './quantity.ts';

/**
 * Resource name → amount as an exact integer: `cpu` in milli-cores, everything else in its base unit (bytes, counts). A
 * name that is absent is zero. Exact below 2^53, which is 9 PB of memory.
 */
export type Resources = Readonly<Record<string, number>>;

/** The amount of a resource; 0 where the list does not name it. */
export const amountIn = (resources: Resources, name: string): number => resources[name] ?? 0;

const combine = (a: Resources, b: Resources, amount: (x: number, y: number) => number): Resources => {
  const result: Record<string, number> = { ...a };
  for (const name of Object.keys(b)) result[name] = amount(amountIn(a, name), amountIn(b, name));
  return result;
};

/** Both together, resource by resource. */
export const addResources = (a: Resources, b: Resources): Resources => combine(a, b, (x, y) => x + y);

/** `a - b` per resource; may go below zero, which says by how much `b` is too much. */
export const subtractResources = (a: Resources, b: Resources): Resources => combine(a, b, (x, y) => x - y);

/** The larger amount of each resource. */
export const maxResources = (a: Resources, b: Resources): Resources => combine(a, b, Math.max);

/** All together, resource by resource; nothing of none. */
export const sumResources = (all: Iterable<Resources>): Resources => {
  const result: Record<string, number> = {};
  for (const each of all) for (const name of Object.keys(each)) result[name] = (result[name] ?? 0) + (each[name] ?? 0);
  return result;
};

/** The first resource with more wanted than there is, by the order of `wanted`; undefined when all of it fits. */
export const firstShortage = (wanted: Resources, available: Resources): string | undefined =>
  Object.keys(wanted).find((name) => (wanted[name] ?? 0) > Math.max(0, available[name] ?? 0));

/**
 * Whether there is enough of every resource. A name that `available` lacks, or that is below zero there, counts as
 * zero; a wanted zero always fits. O(wanted).
 */
export const fits = (wanted: Resources, available: Resources): boolean => firstShortage(wanted, available) === undefined;

/** Whether no resource is wanted at all. */
export const isZero = (resources: Resources): boolean => Object.keys(resources).every((name) => resources[name] === 0);

const quantityOf = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new RangeError(`"${text}" is no Kubernetes quantity; accepted are numbers like 1500m, 2Gi, 1e3 or 0.5`);
  return quantity;
};
const millisOfText = memoByText((text) => millisOf(quantityOf(text)));
const unitsOfText = memoByText((text) => unitsOf(quantityOf(text)));
const binaryNames = /^(memory|storage|ephemeral-storage|hugepages-.*)$/;

/**
 * The exact amounts of a resource list, each rounded up to its integer unit. Cheap for texts that were seen before.
 * Throws RangeError on a malformed quantity: the API server admits none. A name that every object has, such as
 * `constructor`, is left out. No pod can request it, and look-ups would find it where it is not.
 */
export const resourcesOf = (list: ResourceList | undefined): Resources => {
  const resources: Record<string, number> = {};
  if (list === undefined) return resources;
  for (const name of Object.keys(list)) {
    if (name in Object.prototype) continue;
    const text = String(list[name]);
    resources[name] = name === 'cpu' ? millisOfText(text) : unitsOfText(text);
  }
  return resources;
};

/** The canonical quantity that the API server would give back for a resource: `1500m`, `2Gi`, `110`. */
export const quantityOfAmount = (name: string, amount: number): string => {
  const nanos = BigInt(Math.round(amount)) * (name === 'cpu' ? 1_000_000n : 1_000_000_000n);
  return formatQuantity({ nanos, format: binaryNames.test(name) ? 'binary' : 'decimal' });
};

/**
 * The list that the API server would give back: canonical quantities (`1500m`, `2Gi`, `110`), names in order. Zeros
 * are kept. The inverse of `resourcesOf`.
 */
export const quantitiesOf = (resources: Resources): Readonly<Record<string, string>> => {
  const list: Record<string, string> = {};
  for (const name of Object.keys(resources).sort()) list[name] = quantityOfAmount(name, amountIn(resources, name));
  return list;
};
