import type { GraphRow } from '../arm-api.ts';
import { objectOf, textsIn, textsOf } from './shape.ts';

/**
 * A row of an answer in the form `objectArray`; undefined for what has no id and name. Names are in lower case, so that
 * they compare.
 */
export const graphRowOf = (item: unknown): GraphRow | undefined => {
  const { id, name, tags, properties, zones } = objectOf(item);
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  return { id, name: name.toLowerCase(), tags: textsIn(tags), properties: objectOf(properties), zones: textsOf(zones) };
};
