import { hasBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import type { NodeState } from './node-state.ts';

/**
 * Takes out the types that come in several sizes of which one that may be launched is not among them: a claim names a type, not its size.
 * Differs: the original lets a pod onto a type when any of its sizes will do, and the cloud may launch another one.
 */
export const keepWholeTypes = (types: BitSet, { types: launchable, template }: NodeState): void => {
  for (const sizes of template.catalog.sizesOfType) {
    if (sizes.every((size) => hasBit(types, size) || !hasBit(launchable, size))) continue;
    for (const size of sizes) types[size >>> 5] = (types[size >>> 5] ?? 0) & ~(1 << (size & 31));
  }
};
