import type { RunFigures } from './run-scenario.ts';

/** A figure of both controllers in one scenario. */
export interface BenchComparison {
  readonly scenario: string;
  readonly figure: string;
  readonly ours: number;
  readonly original: number;
  /** Ours to the original's; left out where the original's is 0. */
  readonly ratio?: number;
  /** The most that the ratio may be; left out where there is no bar. */
  readonly bar?: number;
}

const FIGURES: readonly (readonly [keyof RunFigures, string, number?])[] = [
  ['secondsBound', 'seconds until all are bound', 1],
  ['secondsSettled', 'seconds until settled', 1],
  ['mostNodes', 'nodes at most'],
  ['nodes', 'nodes at the end'],
  ['launches', 'machines launched', 1.1],
  ['evictions', 'evictions', 1.1],
  ['commands', 'commands carried out'],
  ['abandoned', 'candidates that failed validation'],
  ['pricePerHour', 'price at rest, $/h'],
  ['dollars', 'dollars over the run', 0.95],
  ['cpuSeconds', 'processor seconds', 1],
  ['idleMib', 'MiB resident, idle', 1.2],
  ['mostMib', 'MiB resident, at most', 1.2],
  ['requests', 'requests to the API server', 1],
  ['unfinished', 'steps that did not come true'],
];

/**
 * As if the run had lasted longer at rest: a controller that settles sooner is not cheaper because it was watched for
 * less time.
 */
const lasting = (figures: RunFigures, seconds: number): RunFigures => ({
  ...figures,
  dollars: figures.dollars + (figures.pricePerHour * (seconds - figures.runSeconds)) / 3600,
});

/** Every figure of a scenario, side by side; dollars over the longer of the two runs. */
export const compared = (scenario: string, oursAlone: RunFigures, originalAlone: RunFigures): readonly BenchComparison[] => {
  const seconds = Math.max(oursAlone.runSeconds, originalAlone.runSeconds);
  const [ours, original] = [lasting(oursAlone, seconds), lasting(originalAlone, seconds)];
  return FIGURES.map(([key, figure, bar]) => ({
    ...{ scenario, figure, ours: ours[key], original: original[key] },
    ...(original[key] === 0 ? {} : { ratio: ours[key] / original[key] }),
    ...(bar === undefined ? {} : { bar }),
  }));
};

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

const verdictOf = ({ ratio, bar }: BenchComparison): string => {
  if (bar === undefined) return '';
  return `${ratio !== undefined && ratio > bar ? 'MISSED ' : ''}<= ${number(bar)}`;
};

const rowOf = (comparison: BenchComparison): readonly string[] => {
  const { scenario, figure, ours, original, ratio } = comparison;
  return [scenario, figure, number(ours), number(original), ratio === undefined ? '' : number(ratio), verdictOf(comparison)];
};

/** A table for people. */
export const benchTable = (comparisons: readonly BenchComparison[]): string => {
  const rows = [['scenario', 'figure', 'ours', 'original', 'ratio', 'bar'], ...comparisons.map(rowOf)];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    [2, 3, 4].includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
};
