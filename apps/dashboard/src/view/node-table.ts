import type { NodeTile } from '../state/dashboard-state.ts';
import { fillOf } from './tile-grid.ts';

export type SortKey = 'name' | 'pool' | 'type' | 'state' | 'cpu' | 'memory' | 'pods' | 'price' | 'age';

/** What is shown of the nodes as a table. */
export interface TableChoice {
  /** Words that a row must hold, each of them. */
  readonly filter: string;
  readonly sort: SortKey;
  readonly descending: boolean;
}

/** More rows than this are not shown at once. */
const ROWS_SHOWN = 100;

const sortValues: Readonly<Record<SortKey, (tile: NodeTile) => string | number>> = {
  name: ({ name }) => name,
  pool: ({ nodePool = '' }) => nodePool,
  type: ({ instanceType }) => instanceType,
  state: ({ state }) => state,
  cpu: (tile) => fillOf(tile, 'cpu'),
  memory: (tile) => fillOf(tile, 'memory'),
  pods: ({ pods }) => pods.requested,
  price: ({ pricePerHour = -1 }) => pricePerHour,
  age: ({ createdAtMs = 0 }) => -createdAtMs,
};

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
  const valueOf = sortValues[sort];
  const sign = descending ? -1 : 1;
  matching.sort((a, b) => sign * compare(valueOf(a), valueOf(b)) || compare(a.name, b.name));
  return { rows: matching.slice(0, ROWS_SHOWN), matching: matching.length };
};
