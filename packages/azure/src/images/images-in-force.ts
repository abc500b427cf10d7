import type { NodeImage } from '../apis/index.ts';

const baseOf = (id: string): string => id.replace(/\/versions\/[^/]+$/i, '').toLowerCase();

/**
 * The newest images, but those in force keep their version: images that are no longer wanted are dropped, new ones are
 * added.
 */
export const keepingVersions = (newest: readonly NodeImage[], inForce: readonly NodeImage[]): readonly NodeImage[] => {
  const known = new Map(inForce.map(({ id }) => [baseOf(id), id]));
  return newest.map((image) => ({ ...image, id: known.get(baseOf(image.id)) ?? image.id }));
};
