import { createHash } from 'node:crypto';

const HOUR_MS = 3_600_000;

/** A number in [0, 1) that a text always gives: the same machine meets the same fate after a restart. */
const drawOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;

/** Whether something that happens in so many percent of all cases happens in the one that `text` names. */
export const happens = (text: string, percent = 0): boolean => drawOf(text) * 100 < percent;

/**
 * Lifetime of a machine when this percentage of machines vanishes each hour. Infinity at 0 %; within the first hour at
 * 100 %.
 */
export const lifetimeMs = (text: string, percentPerHour = 0): number => {
  const draw = drawOf(text);
  if (percentPerHour <= 0) return Number.POSITIVE_INFINITY;
  const hours = percentPerHour >= 100 ? draw : Math.log1p(-draw) / Math.log1p(-percentPerHour / 100);
  return hours * HOUR_MS;
};
