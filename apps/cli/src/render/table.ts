import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { paint, type Paper } from './paper.ts';

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly align?: 'left' | 'right';
  /** Columns with the highest number are left out first where the terminal is narrow. Default 0: never. */
  readonly rank?: number;
  /** The column is cut to what is left of the width. */
  readonly isElastic?: true;
}

const GAP = 2;
const LEAST_ELASTIC = 24;
const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'] as const;
const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const;
const noBorders = Object.fromEntries([...borders, ...inner].map((name) => [name, '']));

const widthOf = (text: string): number => stripVTControlCharacters(text).length;

interface Sized<T> {
  readonly column: Column<T>;
  readonly width: number;
}

const sizedOf = <T>(column: Column<T>, rows: readonly T[]): Sized<T> => ({
  column,
  width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(column.cell(row)))),
});

const least = <T>({ column, width }: Sized<T>): number => (column.isElastic ? Math.min(width, LEAST_ELASTIC) : width);

const total = <T>(sized: readonly Sized<T>[]): number => sized.reduce((sum, each) => sum + least(each), (sized.length - 1) * GAP);

/** The columns that the width has room for. */
const roomFor = <T>(sized: readonly Sized<T>[], width: number): readonly Sized<T>[] => {
  const rank = Math.max(...sized.map(({ column }) => column.rank ?? 0));
  if (rank === 0 || total(sized) <= width) return sized;
  return roomFor(
    sized.filter(({ column }) => (column.rank ?? 0) < rank),
    width,
  );
};

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`);

/**
 * A table without borders, as kubectl writes them. On a terminal no line is wider than it, as long as the columns
 * without a rank fit.
 */
export const table = <T>(rows: readonly T[], columns: readonly Column<T>[], paper: Paper): string => {
  const width = paper.width ?? Number.POSITIVE_INFINITY;
  const all = columns.map((column) => sizedOf(column, rows));
  const shown = roomFor(all, width);
  const spare = width - total(shown);
  const elastic = shown.filter(({ column }) => column.isElastic).length;
  const roomOf = (each: Sized<T>): number => (each.column.isElastic ? least(each) + Math.floor(spare / elastic) : each.width);
  const text = new Table({
    chars: { ...noBorders, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: shown.map(({ column }) => column.align ?? 'left'),
    head: shown.map(({ column }) => paint(paper, 'bold', column.title)),
  });
  for (const row of rows)
    text.push(shown.map((each) => (each.column.isElastic ? cut(each.column.cell(row), roomOf(each)) : each.column.cell(row))));
  return text
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};
