import type { NodeClassFacets } from './node-class-facets.ts';

/** What of a class decides how much of a machine's memory its operating system sees. */
export type MemoryFacets = Pick<NodeClassFacets, 'osSku' | 'isTrustedLaunch' | 'isFips'>;

/** What a node says of its memory. A kubelet may write any figure: it writes the status of its node. */
export interface MemoryReport {
  readonly nodeName: string;
  readonly bytes: number;
}

/** What nodes of a size have reported as their memory. */
export interface LearnedMemory {
  /** Whether it changes what is known of the size. */
  learn(size: string, facets: MemoryFacets, report: MemoryReport): boolean;
  /** Whether the size is new: a node of it joined, and what it reported is no longer known. */
  learnSize(size: string): boolean;
  /** Sizes whose nodes have joined: whatever was thought of them, they work. */
  readonly sizes: ReadonlySet<string>;
  /** Undefined until a node of the size has come. */
  bytesOf(size: string, facets: MemoryFacets): number | undefined;
}

/** The nodes of a size that count: those that have reported last. */
const MOST_NODES = 16;
/** Hosts of one size differ by some MiB. A node with less than this share of the others has a fault, or lies. */
const CONFIRMED = 0.98;

/** Kernel and firmware take some percent of a machine's memory, and on small ones more. */
const LEAST_SHARE = 0.9;
const MOST_RESERVED_BYTES = 256 * 1024 ** 2;

/** Whether a machine with so much memory may report the figure. */
export const isPlausible = (bytes: number, sizeBytes: number): boolean =>
  bytes <= sizeBytes && bytes >= sizeBytes * LEAST_SHARE - MOST_RESERVED_BYTES;

const keyOf = (size: string, { osSku, isTrustedLaunch, isFips }: MemoryFacets): string => `${size} ${osSku} ${isTrustedLaunch} ${isFips}`;

/** The least figure that a second node confirms; where none does, the largest. */
const confirmedOf = (reported: Iterable<number>): number | undefined => {
  const ascending = [...reported].sort((a, b) => a - b);
  return ascending.find((bytes, index) => bytes >= (ascending[index + 1] ?? 0) * CONFIRMED);
};

export const learnedMemory = (): LearnedMemory => {
  /** Size and facets → node → bytes, the latest report last. */
  const known = new Map<string, Map<string, number>>();
  const sizes = new Set<string>();
  const bytesOf = (size: string, facets: MemoryFacets): number | undefined => confirmedOf(known.get(keyOf(size, facets))?.values() ?? []);
  return {
    sizes,
    bytesOf,
    learn: (size, facets, { nodeName, bytes }) => {
      const before = bytesOf(size, facets);
      const key = keyOf(size, facets);
      const reports = known.get(key) ?? new Map<string, number>();
      known.set(key, reports);
      reports.delete(nodeName);
      reports.set(nodeName, bytes);
      const [oldest = nodeName] = reports.keys();
      if (reports.size > MOST_NODES) reports.delete(oldest);
      sizes.add(size);
      return bytesOf(size, facets) !== before;
    },
    learnSize: (size) => {
      const isNew = !sizes.has(size);
      sizes.add(size);
      return isNew;
    },
  };
};
