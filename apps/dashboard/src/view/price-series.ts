import type { PricePoint, Totals } from '../state/dashboard-state.ts';
import { clockText, dollars } from './texts.ts';

/** Times in epoch seconds, and dollars an hour: as the chart takes them. */
export type PriceSeries = readonly [times: readonly number[], prices: readonly number[]];

/** A first point alone counts for a second: a chart of one point would span years. */
export const priceSeries = (points: readonly PricePoint[]): PriceSeries => {
  const [first] = points;
  const shown = first !== undefined && points.length === 1 ? [first, { ...first, atMs: first.atMs + 1000 }] : points;
  return [shown.map(({ atMs }) => atMs / 1000), shown.map(({ pricePerHour }) => pricePerHour)];
};

const SAME = 0.0005;

/** The points with the price of now, where it is not that of the last one: points are seconds apart, after days minutes. */
export const withPriceNow = (
  points: readonly PricePoint[],
  { pricePerHour, nodes }: Pick<Totals, 'pricePerHour' | 'nodes'>,
  nowMs: number,
): readonly PricePoint[] => {
  const last = points.at(-1);
  if (last === undefined || Math.abs(last.pricePerHour - pricePerHour) < SAME) return points;
  // The clock of the browser may be behind that of the server.
  return [...points, { atMs: Math.max(nowMs, last.atMs + 1000), pricePerHour, nodes }];
};

/** The chart in words. */
export const priceText = (points: readonly PricePoint[]): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'No price is known yet.';
  const prices = points.map(({ pricePerHour }) => pricePerHour);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const since = clockText(first.atMs);
  if (most - least < SAME) return `unchanged since ${since}`;
  const change = last.pricePerHour - first.pricePerHour;
  const trend = Math.abs(change) < SAME ? 'the same as at' : `${dollars(Math.abs(change))}/h ${change > 0 ? 'more' : 'less'} than at`;
  return `${trend} ${since}; between ${dollars(least)}/h and ${dollars(most)}/h`;
};
