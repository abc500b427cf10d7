import type { GraphRow } from '../arm-api.ts';

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

const tagsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(objectOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Rows of an answer in the form `objectArray`; what has no id and name is left out. Names are in lower case, so that they compare. */
export const graphRowsOf = (data: unknown): readonly GraphRow[] =>
  (Array.isArray(data) ? data : []).flatMap((item: unknown) => {
    const { id, name, tags, properties, zones } = objectOf(item);
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    return [{ id, name: name.toLowerCase(), tags: tagsOf(tags), properties: objectOf(properties), zones: textsOf(zones) }];
  });
