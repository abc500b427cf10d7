import type { Resources } from '../kube/index.ts';

/** Dollars an hour for one cpu and for one GiB, about what large clouds ask. */
const PER_CPU = 0.035;
const PER_GIB = 0.0045;
const GIB = 1024 ** 3;

/**
 * Dollars an hour for a cloud that has no prices: it grows with the machine, so that fewer and smaller machines count
 * as cheaper.
 */
export const standInPricePerHour = ({ cpu = 0, memory = 0 }: Resources): number => (cpu / 1000) * PER_CPU + (memory / GIB) * PER_GIB;
