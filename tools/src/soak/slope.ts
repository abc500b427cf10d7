const HOUR_MS = 3_600_000;

/** How fast a value grows, with the interval that holds it with a confidence of 95 %; both in its own unit an hour. */
export interface Slope {
  readonly perHour: number;
  readonly plusMinus: number;
}

/** Two-sided 95 % of Student's t; from 30 values on close enough to the normal distribution. */
const T_95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09, 2.08, 2.07, 2.07,
  2.06, 2.06, 2.06, 2.05, 2.05, 2.05,
];

/** A moment and a value. */
export type SlopePoint = readonly [atMs: number, value: number];

/**
 * The means of the points of each stretch of time. Values that follow each other closely say nearly the same, so that
 * each of them would make a slope look surer than it is. Stretches with less than half as many points as the fullest
 * are left out.
 */
export const blockMeans = (points: readonly SlopePoint[], blockMs: number): readonly SlopePoint[] => {
  const startMs = points[0]?.[0] ?? 0;
  const blocks = [...Map.groupBy(points, ([atMs]) => Math.floor((atMs - startMs) / blockMs)).values()];
  const fullest = Math.max(0, ...blocks.map(({ length }) => length));
  const meanOf = (block: readonly SlopePoint[], place: 0 | 1): number => block.reduce((sum, point) => sum + point[place], 0) / block.length;
  return blocks.filter(({ length }) => 2 * length >= fullest).map((block) => [meanOf(block, 0), meanOf(block, 1)] as const);
};

/** The straight line that comes closest to points of time and value. Fewer than three points have no confidence: infinity. */
export const slopeOf = (points: readonly SlopePoint[]): Slope => {
  const count = points.length;
  if (count < 3) return { perHour: 0, plusMinus: Number.POSITIVE_INFINITY };
  const mean = (place: 0 | 1): number => points.reduce((sum, point) => sum + point[place], 0) / count;
  const [middleMs, middle] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [atMs]) => sum + (atMs - middleMs) ** 2, 0);
  const perMs = points.reduce((sum, [atMs, value]) => sum + (atMs - middleMs) * (value - middle), 0) / spread;
  const rest = points.reduce((sum, [atMs, value]) => sum + (value - middle - perMs * (atMs - middleMs)) ** 2, 0);
  const error = Math.sqrt(rest / (count - 2) / spread);
  return { perHour: perMs * HOUR_MS, plusMinus: error * (T_95[count - 3] ?? 1.96) * HOUR_MS };
};
