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

/** The chart in words. */
export const priceText = (points: readonly PricePoint[]): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 'No price is known yet.';
  const prices = points.map(({ pricePerHour }) => pricePerHour);
  const change = last.pricePerHour - first.pricePerHour;
  const trend = Math.abs(change) < 0.0005 ? 'unchanged' : `${dollars(Math.abs(change))}/h ${change > 0 ? 'more' : 'less'}`;
  return `${trend} since ${clockText(first.atMs)}; between ${dollars(Math.min(...prices))}/h and ${dollars(Math.max(...prices))}/h`;
};
