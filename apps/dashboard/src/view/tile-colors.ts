import type { NodeTile } from '../state/dashboard-state.ts';

export type ColorBy = 'pool' | 'capacity' | 'state';

/** A color of the page's palette by its number, and what it stands for. */
export interface LegendEntry {
  readonly label: string;
  readonly color: number;
  readonly nodes: number;
}

/** The palette has so many colors. */
export const COLORS = 8;

const NOT_OURS = 'not Karpenter’s';

const keyOf: Readonly<Record<ColorBy, (tile: NodeTile) => string>> = {
  pool: ({ nodePool = NOT_OURS }) => nodePool,
  capacity: ({ capacityType }) => (capacityType === '' ? 'unknown' : capacityType),
  state: ({ state }) => state,
};

/** States have a color of their own, so that trouble looks the same in every cluster. */
const fixed: Readonly<Record<string, number>> = {
  ready: 2,
  starting: 0,
  launching: 5,
  'not ready': 3,
  cordoned: 7,
  drifted: 1,
  leaving: 4,
  [NOT_OURS]: 7,
};

/**
 * What the colors mean: most nodes first. Colors go round by name, so that a pool keeps its color while others come and
 * go less often.
 */
export const legendOf = (tiles: readonly NodeTile[], by: ColorBy): readonly LegendEntry[] => {
  const counts = new Map<string, number>();
  for (const tile of tiles) counts.set(keyOf[by](tile), (counts.get(keyOf[by](tile)) ?? 0) + 1);
  const names = [...counts.keys()].filter((name) => fixed[name] === undefined).sort();
  return [...counts]
    .map(([label, nodes]) => ({ label, nodes, color: fixed[label] ?? names.indexOf(label) % (COLORS - 1) }))
    .sort((a, b) => b.nodes - a.nodes || (a.label < b.label ? -1 : 1));
};

/** The color of each tile. */
export const colorOf = (legend: readonly LegendEntry[], by: ColorBy): ((tile: NodeTile) => number) => {
  const colors = new Map(legend.map(({ label, color }) => [label, color]));
  return (tile) => colors.get(keyOf[by](tile)) ?? 0;
};
