import type { DashboardState, NodeTile, Overview, StateChange } from './dashboard-state.ts';

const parts = ['isLeader', 'totals', 'pools', 'pending', 'decisions'] as const satisfies readonly (keyof Overview)[];

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** What differs between two states; undefined where nothing does. */
export const changeBetween = (before: DashboardState, after: DashboardState): StateChange | undefined => {
  const known = new Map<string, NodeTile>(before.nodes.map((tile) => [tile.name, tile]));
  const changedNodes = after.nodes.filter((tile) => !isSame(known.get(tile.name), tile));
  const names = new Set(after.nodes.map(({ name }) => name));
  const goneNodes = before.nodes.map(({ name }) => name).filter((name) => !names.has(name));
  const changed = parts.filter((part) => !isSame(before[part], after[part]));
  const lastMs = before.prices.at(-1)?.atMs ?? 0;
  const addedPrices = after.prices.filter(({ atMs }) => atMs > lastMs);
  if (changed.length + changedNodes.length + goneNodes.length + addedPrices.length === 0) return undefined;
  return { ...Object.fromEntries(changed.map((part) => [part, after[part]])), changedNodes, goneNodes, addedPrices };
};

const withNodes = (nodes: readonly NodeTile[], { changedNodes, goneNodes }: StateChange): readonly NodeTile[] => {
  if (changedNodes.length + goneNodes.length === 0) return nodes;
  const byName = new Map(nodes.map((tile) => [tile.name, tile]));
  for (const name of goneNodes) byName.delete(name);
  for (const tile of changedNodes) byName.set(tile.name, tile);
  return [...byName.values()];
};

/** The state once the change has been made. Parts that did not change are the same objects. */
export const withChange = (state: DashboardState, change: StateChange): DashboardState => {
  const { changedNodes: _, goneNodes: _gone, addedPrices, ...overview } = change;
  const prices = addedPrices.length === 0 ? state.prices : [...state.prices, ...addedPrices];
  return { ...state, ...overview, prices, nodes: withNodes(state.nodes, change) };
};
