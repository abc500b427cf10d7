import { hasBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import type { NodeState } from './node-model.ts';

/**
 * Removes types that come in several sizes unless every launchable size is in the set: a claim names a type, not a size.
 * Differs: the original accepts a type when any of its sizes will do, and the cloud may launch another.
 */
export const keepWholeTypes = (types: BitSet, { types: launchable, template }: NodeState): void => {
  for (const sizes of template.catalog.sizesOfType) {
    if (sizes.every((size) => hasBit(types, size) || !hasBit(launchable, size))) continue;
    for (const size of sizes) types[size >>> 5] = (types[size >>> 5] ?? 0) & ~(1 << (size & 31));
  }
};
