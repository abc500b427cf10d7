import { scaleLinear, scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import type { Series } from './prometheus.ts';
import { valueInUnit } from './value-in-unit.ts';

/** How large a chart is, in pixels, and what it shows. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly unit: string;
  /** Points further apart than this are not joined. */
  readonly gapMs: number;
}

const MARGIN = { left: 62, right: 8, top: 8, bottom: 20 };
const COLOURS = ['#73bf69', '#f2cc0c', '#5794f2', '#ff9830', '#f2495c', '#b877d9', '#37872d', '#8ab8ff', '#fade2a', '#c4162a'];

/** The colour of the nth series. */
export const colourOf = (nth: number): string => COLOURS[nth % COLOURS.length] ?? '#fff';

type Point = readonly [atMs: number, value: number];

/** Runs of points without a gap between them. */
const runsOf = (points: readonly Point[], gapMs: number): readonly Point[][] => {
  const runs: Point[][] = [];
  let last = -Infinity;
  for (const point of points) {
    if (point[0] - last > gapMs) runs.push([]);
    runs.at(-1)?.push(point);
    last = point[0];
  }
  return runs;
};

/** The range of all values, with zero in it. */
const rangeOf = (series: readonly Series[]): readonly [number, number] => {
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  return least === most ? [0, 1] : [least, most];
};

const timeOf = (date: Date): string => date.toISOString().slice(11, 16);

/** Series as lines over time: the text of an SVG element. */
export const lineChart = (series: readonly Series[], frame: Frame): string => {
  const { width, height, fromMs, toMs, unit } = frame;
  const x = scaleUtc([fromMs, toMs], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear(rangeOf(series), [height - MARGIN.bottom, MARGIN.top]).nice(4);
  const path = line<Point>(
    ([atMs]) => x(atMs),
    ([, value]) => y(value),
  );
  const levels = y.ticks(4).map((value) => {
    const at = y(value);
    return `<line x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${at}" y2="${at}"/><text x="${MARGIN.left - 6}" y="${at + 4}" text-anchor="end">${valueInUnit(value, unit)}</text>`;
  });
  const times = x.ticks(5).map((date) => `<text x="${x(date)}" y="${height - 4}" text-anchor="middle">${timeOf(date)}</text>`);
  const lines = series.map(({ points }, nth) => {
    const d = runsOf(points, frame.gapMs).map((run) => path(run) ?? '');
    return `<path d="${d.join('')}" stroke="${colourOf(nth)}"/>`;
  });
  return `<svg width="${width}" height="${height}">${[...levels, ...times, ...lines].join('')}</svg>`;
};
