import type { PricePoint } from '../state/dashboard-state.ts';
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
