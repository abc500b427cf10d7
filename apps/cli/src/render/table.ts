import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { paint, type Paper } from './paper.ts';

/** A column of a table. */
export interface TextColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => string;
  readonly align?: 'left' | 'right';
  /** Where the terminal is narrow, columns with a low number are chosen first. Default 0: always shown. */
  readonly rank?: number;
  /** The column is cut to what is left of the width. */
  readonly isElastic?: true;
}

const GAP = 2;
/** An elastic column is cut to this where it would have no place otherwise. */
const LEAST_ELASTIC = 16;
/** An elastic column is not cut below this to make room for others. */
const FAIR_ELASTIC = 24;
const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'] as const;
const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'] as const;
const noBorders = Object.fromEntries([...borders, ...inner].map((name) => [name, '']));

const widthOf = (text: string): number => stripVTControlCharacters(text).length;

interface Sized<T> {
  readonly column: TextColumn<T>;
  readonly width: number;
}

const sizedOf = <T>(column: TextColumn<T>, rows: readonly T[]): Sized<T> => ({
  column,
  width: rows.reduce((width, row) => Math.max(width, widthOf(column.cell(row))), widthOf(column.title)),
});

const least = <T>({ column, width }: Sized<T>, elastic = LEAST_ELASTIC): number => (column.isElastic ? Math.min(width, elastic) : width);

const total = <T>(sized: readonly Sized<T>[], elastic = LEAST_ELASTIC): number =>
  sized.reduce((sum, each) => sum + least(each, elastic), (sized.length - 1) * GAP);

/** The columns that the width has room for: the lower the rank, the sooner a column is chosen. */
const roomFor = <T>(sized: readonly Sized<T>[], width: number): readonly Sized<T>[] => {
  const rankOf = ({ column: { rank = 0 } }: Sized<T>): number => rank;
  const chosen = new Set(sized.filter((each) => rankOf(each) === 0));
  for (const each of sized.filter((other) => !chosen.has(other)).toSorted((a, b) => rankOf(a) - rankOf(b)))
    if (total([...chosen, each], each.column.isElastic ? LEAST_ELASTIC : FAIR_ELASTIC) <= width) chosen.add(each);
  return sized.filter((each) => chosen.has(each));
};

/** The widths of elastic columns: what is left of the terminal goes to those that would be cut. */
const elasticWidths = <T>(shown: readonly Sized<T>[], width: number): ReadonlyMap<TextColumn<T>, number> => {
  const lacks = (each: Sized<T>): number => each.width - least(each);
  const elastic = shown.filter(({ column }) => column.isElastic).toSorted((a, b) => lacks(a) - lacks(b));
  let spare = Math.max(0, width - total(shown));
  return new Map(
    elastic.map((each, index) => {
      const more = Math.min(lacks(each), Math.floor(spare / (elastic.length - index)));
      spare -= more;
      return [each.column, least(each) + more] as const;
    }),
  );
};

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`);

/** The time in which the library lays a table out grows with the square of its rows. */
const ROWS_AT_ONCE = 10;

/** Lines of cells, all columns as wide as they are said to be. */
const layOut = (lines: readonly (readonly string[])[], colWidths: readonly number[], colAligns: readonly ('left' | 'right')[]): string => {
  const text = new Table({
    chars: { ...noBorders, middle: ' '.repeat(GAP) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colAligns: [...colAligns],
    colWidths: [...colWidths],
  });
  for (const line of lines) text.push([...line]);
  return text.toString();
};

/**
 * A table without borders, as kubectl writes them. On a terminal no line is wider than it, as long as the columns
 * without a rank fit. O(rows).
 */
export const table = <T>(rows: readonly T[], columns: readonly TextColumn<T>[], paper: Paper): string => {
  const width = paper.width ?? Number.POSITIVE_INFINITY;
  const shown = roomFor(
    columns.map((column) => sizedOf(column, rows)),
    width,
  );
  const elastic = elasticWidths(shown, width);
  const widths = shown.map(({ column, width: whole }) => elastic.get(column) ?? whole);
  const lineOf = (row: T): readonly string[] =>
    shown.map(({ column }, index) => (column.isElastic ? cut(column.cell(row), widths[index] ?? 0) : column.cell(row)));
  const lines = [shown.map(({ column }) => paint(paper, 'bold', column.title)), ...rows.map(lineOf)];
  const aligns = shown.map(({ column }) => column.align ?? 'left');
  const parts = Array.from({ length: Math.ceil(lines.length / ROWS_AT_ONCE) }, (_, part) =>
    layOut(lines.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE), widths, aligns),
  );
  return parts
    .join('\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};
