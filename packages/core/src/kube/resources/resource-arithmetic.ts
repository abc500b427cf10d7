import type { Resources } from './resources.ts';

const combine = (a: Resources, b: Resources, amount: (x: number, y: number) => number): Resources => {
  const result: Record<string, number> = { ...a };
  for (const name of Object.keys(b)) result[name] = amount(a[name] ?? 0, b[name] ?? 0);
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

/** Whether there is enough of every resource. */
export const fits = (wanted: Resources, available: Resources): boolean => firstShortage(wanted, available) === undefined;

/** Whether no resource is wanted at all. */
export const isZero = (resources: Resources): boolean => Object.keys(resources).every((name) => resources[name] === 0);
