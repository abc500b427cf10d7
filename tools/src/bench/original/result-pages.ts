import { type BenchComparison, spreadText } from './comparison.ts';

/** Runs of one scenario, compared, and when they were made. */
export interface ScenarioResult {
  readonly scenario: string;
  /** ISO date. */
  readonly date: string;
  /** Of this repository, with `-dirty` where files were changed since; absent: not known. */
  readonly commit?: string | undefined;
  readonly runs: number;
  readonly comparisons: readonly BenchComparison[];
}

const PART = /(<!-- begin of the results -->\n)[\s\S]*?(<!-- end of the results -->)/;

/** The page with other results. Errors: thrown if it has no place for them. */
export const withResults = (page: string, text: string): string => {
  if (!PART.test(page)) throw new Error('the page has no place for results');
  return page.replace(PART, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`);
};

/** The results on a page. */
export const resultsOn = (page: string): string => (PART.exec(page)?.[0] ?? '').split('\n').slice(1, -1).join('\n').trim();

const ratioText = ({ ratio }: BenchComparison): string => (ratio === undefined ? '' : ratio.toFixed(2));

const barText = ({ bar, isMissed }: BenchComparison): string => {
  if (bar === undefined) return '';
  return isMissed === true ? `${bar}: **missed**` : String(bar);
};

const runsText = (count: number): string => (count === 1 ? 'one run each' : `median of ${count} runs each, and their range`);

/** The figures of one scenario as a table of the page; those that are 0 on both sides are left out. */
const scenarioTable = ({ scenario, date, commit, runs, comparisons }: ScenarioResult): string => {
  const shown = comparisons.filter(({ ours, original }) => ours.most > 0 || original.most > 0);
  const rows = shown.map(
    (each) => `| ${each.figure} | ${spreadText(each.ours)} | ${spreadText(each.original)} | ${ratioText(each)} | ${barText(each)} |`,
  );
  return [
    `\`${scenario}\`, ${[date.slice(0, 10), ...(commit === undefined ? [] : [`commit ${commit}`]), runsText(runs)].join(', ')}:`,
    '',
    '| Figure | Ours | Original | Ratio | Bar |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
};

/** All results, for the page. */
export const resultTables = (results: readonly ScenarioResult[]): string => results.map(scenarioTable).join('\n\n');

/** Figures that are compared with the original in few words, by the names that the page has for them. */
const IN_SHORT: readonly (readonly [figure: string, textOf: (value: string) => string])[] = [
  ['seconds until all are bound', (value) => `bound after ${value} s`],
  ['seconds until settled', (value) => `settled after ${value} s`],
  ['machines launched', (value) => `${value} machines`],
  ['evictions', (value) => `${value} ${value === '1' ? 'eviction' : 'evictions'}`],
  ['dollars over the run', (value) => `$${value}`],
  ['processor seconds', (value) => `${value} processor seconds`],
  ['MiB resident, idle', (value) => `${value} MiB idle`],
  ['MiB resident, at most', (value) => `${value} MiB at most`],
  ['requests to the API server', (value) => `${value} requests`],
];

const TABLE = /^`(\w+)`[^\n]*:\n\n\| Figure \| Ours \| Original \|[^\n]*\n[^\n]*\n((?:\|[^\n]*\n?)+)/gm;

const valueOf = (cell: string): number => Number.parseFloat(cell.replaceAll(',', ''));

/** A table with one row for each scenario on the page; what is better on one side is in bold there. */
export const shortTable = (tables: string): string => {
  const rows = [...tables.matchAll(TABLE)].map(([, scenario = '', body = '']) => {
    const cells = new Map(
      body
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .map(([, figure = '', ours = '', original = '']) => [figure, { ours, original }] as const),
    );
    const sideOf = (side: 'ours' | 'original', other: 'ours' | 'original'): string =>
      IN_SHORT.flatMap(([figure, textOf]) => {
        const row = cells.get(figure);
        if (row === undefined) return [];
        return [valueOf(row[side]) < valueOf(row[other]) ? `**${textOf(row[side])}**` : textOf(row[side])];
      }).join(', ');
    return `| \`${scenario}\` | ${sideOf('ours', 'original')} | ${sideOf('original', 'ours')} |`;
  });
  return ['| Scenario | Here | The Go original |', '|---|---|---|', ...rows].join('\n');
};
