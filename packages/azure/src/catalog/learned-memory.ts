import type { NodeClassFacets } from './node-class-facets.ts';

/** What of a class decides how much of a machine's memory its operating system sees. */
export type MemoryFacets = Pick<NodeClassFacets, 'osSku' | 'isTrustedLaunch' | 'isFips'>;

/** What nodes of a size have reported as their memory. */
export interface LearnedMemory {
  /** Whether it says something new. Of several nodes of one size the one with the least counts: hosts differ by some MiB. */
  learn(size: string, facets: MemoryFacets, bytes: number): boolean;
  /** Whether the size is new: a node of it joined, and what it reported is no longer known. */
  learnSize(size: string): boolean;
  /** Sizes whose nodes have joined: whatever was thought of them, they work. */
  readonly sizes: ReadonlySet<string>;
  /** Undefined until a node of the size has come. */
  bytesOf(size: string, facets: MemoryFacets): number | undefined;
}

const keyOf = (size: string, { osSku, isTrustedLaunch, isFips }: MemoryFacets): string => `${size} ${osSku} ${isTrustedLaunch} ${isFips}`;

export const learnedMemory = (): LearnedMemory => {
  const known = new Map<string, number>();
  const sizes = new Set<string>();
  return {
    sizes,
    learn: (size, facets, bytes) => {
      const key = keyOf(size, facets);
      if (bytes >= (known.get(key) ?? Infinity)) return false;
      known.set(key, bytes);
      sizes.add(size);
      return true;
    },
    learnSize: (size) => {
      const isNew = !sizes.has(size);
      sizes.add(size);
      return isNew;
    },
    bytesOf: (size, facets) => known.get(keyOf(size, facets)),
  };
};
