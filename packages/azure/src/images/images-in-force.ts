import type { NodeImage } from '../apis/index.ts';

const baseOf = (id: string): string => id.replace(/\/versions\/[^/]+$/i, '').toLowerCase();

/** The newest images, of which those that are in force already keep their version: what is not wanted any more drops out, what is new comes in. */
export const keepingVersions = (newest: readonly NodeImage[], inForce: readonly NodeImage[]): readonly NodeImage[] => {
  const known = new Map(inForce.map(({ id }) => [baseOf(id), id]));
  return newest.map((image) => ({ ...image, id: known.get(baseOf(image.id)) ?? image.id }));
};
