import { percentText } from '@karpenter/cli/amounts';
import type { NodeTile } from '../state/dashboard-state.ts';
import { dollars } from './texts.ts';

/** Where tiles stand. All lengths in CSS pixels. */
export interface TileGrid {
  readonly columns: number;
  readonly size: number;
  readonly gap: number;
  readonly height: number;
}

const MOST_SIZE = 132;
const LEAST_SIZE = 7;
/** The map of a large cluster is no higher than this, as long as tiles can be seen. */
const AIMED_HEIGHT = 420;

const heightOf = (tiles: number, columns: number, pitch: number): number => Math.ceil(tiles / columns) * pitch;

/** The largest tiles with which the map is not too high. */
export const gridFor = (tiles: number, width: number): TileGrid => {
  for (let size = MOST_SIZE; size >= LEAST_SIZE; size -= size > 40 ? 8 : 1) {
    const gap = size > 24 ? 8 : 2;
    const columns = Math.max(1, Math.floor((width + gap) / (size + gap)));
    const height = heightOf(tiles, columns, size + gap);
    if (height <= AIMED_HEIGHT || size === LEAST_SIZE) return { columns, size, gap, height };
  }
  return { columns: 1, size: LEAST_SIZE, gap: 2, height: heightOf(tiles, 1, LEAST_SIZE + 2) };
};

/** The upper left corner of a tile. */
export const placeOf = ({ columns, size, gap }: TileGrid, index: number): { readonly x: number; readonly y: number } => ({
  x: (index % columns) * (size + gap),
  y: Math.floor(index / columns) * (size + gap),
});

/** The tile at a point; undefined between and beyond tiles. */
export const tileAt = ({ columns, size, gap }: TileGrid, { x, y }: { readonly x: number; readonly y: number }): number | undefined => {
  const pitch = size + gap;
  const [column, row] = [Math.floor(x / pitch), Math.floor(y / pitch)];
  const isOnTile = column >= 0 && column < columns && row >= 0 && x - column * pitch <= size && y - row * pitch <= size;
  return isOnTile ? row * columns + column : undefined;
};

const moves: Readonly<Record<string, (columns: number, tiles: number) => number>> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
  Home: (_columns, tiles) => -tiles,
  End: (_columns, tiles) => tiles,
};

/** The tile that a key leads to; undefined for a key that leads nowhere. */
export const tileByKey = (key: string, from: number, { columns, tiles }: { readonly columns: number; readonly tiles: number }) => {
  const move = moves[key];
  return move === undefined || tiles === 0 ? undefined : Math.min(tiles - 1, Math.max(0, from + move(columns, tiles)));
};

const byPoolAndName = (a: NodeTile, b: NodeTile): number => {
  const [one, other] = [a, b].map(({ nodePool = '\uffff', name }) => `${nodePool}\0${name}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
};

/** The order of the tiles: by pool and name, so that none moves while others change. */
export const inOrder = (tiles: readonly NodeTile[]): readonly NodeTile[] => [...tiles].sort(byPoolAndName);

/** The share of a resource that is requested, from 0 to 1 and beyond. */
export const fillOf = (tile: NodeTile, resource: 'cpu' | 'memory'): number =>
  tile[resource].allocatable === 0 ? 0 : tile[resource].requested / tile[resource].allocatable;

/** A tile in words: for a screen reader, and as a tooltip. */
export const tileText = (tile: NodeTile): string =>
  [
    tile.name,
    tile.nodePool === undefined ? 'not Karpenter’s' : `NodePool ${tile.nodePool}`,
    [tile.instanceType, tile.capacityType, tile.zone].filter((text) => text !== '').join(' '),
    tile.state,
    `cpu ${percentText(fillOf(tile, 'cpu'))}, memory ${percentText(fillOf(tile, 'memory'))}`,
    `${tile.pods.requested} pods`,
    tile.pricePerHour === undefined ? 'price not known' : `${dollars(tile.pricePerHour)} an hour`,
    ...(tile.heldBy === '' || tile.nodePool === undefined ? [] : [`stays: ${tile.heldBy}`]),
  ].join(' · ');
