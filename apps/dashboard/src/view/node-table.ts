import type { NodeTile } from '../state/dashboard-state.ts';

/** What the rows are sorted by. */
export type SortValue = (tile: NodeTile) => string | number;

/** What is shown of the nodes as a table. */
export interface TableChoice {
  /** Words that a row must hold, each of them. */
  readonly filter: string;
  readonly sort: SortValue;
  readonly descending: boolean;
}

/** More rows than this are not shown at once. */
const ROWS_SHOWN = 100;

const wordsOf = ({ name, nodePool = '', instanceType, zone, capacityType, state, heldBy }: NodeTile): string =>
  [name, nodePool, instanceType, zone, capacityType, state, heldBy].join(' ').toLowerCase();

const compare = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);

/** The rows that are shown, and how many there are in all. */
export const tableRows = (
  tiles: readonly NodeTile[],
  { filter, sort, descending }: TableChoice,
): { readonly rows: readonly NodeTile[]; readonly matching: number } => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = words.length === 0 ? [...tiles] : tiles.filter((tile) => words.every((word) => wordsOf(tile).includes(word)));
  const sign = descending ? -1 : 1;
  matching.sort((a, b) => sign * compare(sort(a), sort(b)) || compare(a.name, b.name));
  return { rows: matching.slice(0, ROWS_SHOWN), matching: matching.length };
};
