/** One measured number. */
export interface Figure {
  /** What was measured, a few words; unique within a report. */
  readonly case: string;
  readonly figure: number;
  readonly unit: string;
  /** The most the figure may be; left out where there is no bar. */
  readonly atMost?: number;
  /** The least the figure may be; left out where there is no bar. */
  readonly atLeast?: number;
}

/** Whether the figure is beyond its bar. No number misses every bar. */
export const isMissed = ({ figure, atMost, atLeast }: Figure): boolean =>
  (atMost !== undefined && !(figure <= atMost)) || (atLeast !== undefined && !(figure >= atLeast));

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

const excess = (ratio: number): string => `${((ratio - 1) * 100).toFixed(0)} %`;

/** What stands in the last column: the bar and, where it was missed, by how much. */
const verdictOf = ({ figure, atMost, atLeast }: Figure): string => {
  if (atMost !== undefined) return figure <= atMost ? `<= ${number(atMost)}` : `MISSED <= ${number(atMost)} by ${excess(figure / atMost)}`;
  if (atLeast !== undefined)
    return figure >= atLeast ? `>= ${number(atLeast)}` : `MISSED >= ${number(atLeast)} by ${excess(atLeast / figure)}`;
  return '';
};

const tableOf = (figures: readonly Figure[]): string => {
  const rows = [['case', 'figure', 'unit', 'bar'], ...figures.map((f) => [f.case, number(f.figure), f.unit, verdictOf(f)])];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(align).join('  ').trimEnd()).join('\n');
};

/**
 * Writes the figures to stdout: a table for people, or with `--json` among the arguments a JSON array of `{case,
 * figure, unit}`.
 */
export const report = (figures: readonly Figure[], args: readonly string[] = process.argv.slice(2)): void => {
  const text = args.includes('--json') ? JSON.stringify(figures, null, 2) : tableOf(figures);
  process.stdout.write(`${text}\n`);
};
