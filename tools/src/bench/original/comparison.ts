import type { RunFigures } from './run-scenario.ts';
import type { StepFigures } from './run-step.ts';

/** Runs of one scenario; pairs of the same index were made one after the other. */
export interface ScenarioRuns {
  readonly ours: readonly RunFigures[];
  readonly original: readonly RunFigures[];
}

/** Median of a side's runs, and the least and the most of them. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** A figure of both controllers in one scenario. */
export interface BenchComparison {
  readonly scenario: string;
  readonly figure: string;
  readonly ours: Spread;
  readonly original: Spread;
  /** Ours to the original's, by medians; left out where the original's is 0. */
  readonly ratio?: number;
  /** The most that ours may be, as a multiple of the original's; left out where there is no bar. */
  readonly bar?: number;
  readonly isMissed?: boolean;
}

type Total = Exclude<keyof RunFigures, 'steps' | 'costs'>;

const TOTALS: readonly (readonly [Total, string, number?])[] = [
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

/** Seconds and nodes of each step, where there are several. */
const STEP_FIGURES: readonly (readonly [(step: StepFigures) => string, (step: StepFigures) => number])[] = [
  [({ kind }) => `seconds until ${kind}`, ({ seconds }) => seconds],
  [() => 'nodes at most', ({ mostNodes }) => mostNodes],
];

/**
 * As if each step had lasted as long as the longest of all runs, at the price that the run paid at its end. A
 * controller that settles sooner is not cheaper because it was watched for less time. It is not dearer because it began
 * the next step, with more pods, earlier.
 */
const lasting = (figures: RunFigures, stepSeconds: readonly number[]): RunFigures => ({
  ...figures,
  dollars: figures.costs.reduce(
    (sum, { seconds, dollars, pricePerHour }, step) => sum + dollars + (pricePerHour * ((stepSeconds[step] ?? seconds) - seconds)) / 3600,
    0,
  ),
});

const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number): number => sorted[index] ?? 0;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, least: at(0), most: at(sorted.length - 1) };
};

/** Every figure of a scenario, side by side; dollars over the longest of the runs, step by step. */
export const compareScenario = (scenario: string, { ours, original }: ScenarioRuns): readonly BenchComparison[] => {
  const everyRun = [...ours, ...original];
  const stepSeconds = (everyRun[0]?.costs ?? []).map((_, step) => Math.max(...everyRun.map(({ costs }) => costs[step]?.seconds ?? 0)));
  const row = (figure: string, valueOf: (run: RunFigures) => number, bar?: number): BenchComparison => {
    const [own, theirs] = [ours, original].map((runs) => spreadOf(runs.map((run) => valueOf(lasting(run, stepSeconds))))) as [
      Spread,
      Spread,
    ];
    return {
      ...{ scenario, figure, ours: own, original: theirs },
      ...(theirs.median === 0 ? {} : { ratio: own.median / theirs.median }),
      ...(bar === undefined ? {} : { bar, isMissed: own.median > bar * theirs.median }),
    };
  };
  const steps = ours[0]?.steps ?? [];
  const stepRows = [...steps.entries()].flatMap(([index, step]) =>
    STEP_FIGURES.map(([nameOf, valueOf]) =>
      row(`step ${index + 1}: ${nameOf(step)}`, (run) => (run.steps[index] === undefined ? 0 : valueOf(run.steps[index]))),
    ),
  );
  return [...TOTALS.map(([key, figure, bar]) => row(figure, (run) => run[key], bar)), ...(steps.length > 1 ? stepRows : [])];
};

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** The median; the range too where there were several runs. */
export const spreadText = ({ median, least, most }: Spread): string =>
  least === most ? number(median) : `${number(median)} (${number(least)}-${number(most)})`;

const verdictOf = ({ bar, isMissed }: BenchComparison): string => {
  if (bar === undefined) return '';
  return `${isMissed === true ? 'MISSED ' : ''}<= ${number(bar)}`;
};

const rowOf = (comparison: BenchComparison): readonly string[] => {
  const { scenario, figure, ours, original, ratio } = comparison;
  return [scenario, figure, spreadText(ours), spreadText(original), ratio === undefined ? '' : number(ratio), verdictOf(comparison)];
};

/** A table for people. */
export const benchTable = (comparisons: readonly BenchComparison[]): string => {
  const rows = [['scenario', 'figure', 'ours', 'original', 'ratio', 'bar'], ...comparisons.map(rowOf)];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    [2, 3, 4].includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
};
