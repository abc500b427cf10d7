import { describe, expect, test } from '@jest/globals';
import type { NodeTile } from '../state/dashboard-state.ts';
import { answerLines } from './what-if-lines.ts';
import { tableRows } from './node-table.ts';
import { priceSeries, priceText, withPriceNow } from './price-series.ts';
import { colorOf, legendOf } from './tile-colors.ts';
import { fillOf, gridFor, inOrder, placeOf, tileAt, tileByKey, tileText } from './tile-grid.ts';
import { ageText, dollars, dollarsAMonth, tickText } from './texts.ts';

const aTile = (tile: Partial<NodeTile> = {}): NodeTile => ({
  ...{ name: 'node-a', nodePool: 'general', instanceType: 's-4x', zone: 'zone-1', capacityType: 'spot', state: 'ready', heldBy: '' },
  cpu: { requested: 3, allocatable: 4 },
  memory: { requested: 2, allocatable: 16 },
  pods: { requested: 3, allocatable: 110 },
  cpuShares: [250, 250, 250],
  memoryShares: [125],
  pricePerHour: 0.2,
  ...tile,
});

describe('the map', () => {
  test.each([
    [3, 1240, 132],
    [500, 1240, 24],
    [5000, 1240, 8],
    [5000, 360, 7],
  ])('of %i nodes on %i pixels has tiles of %i', (tiles, width, size) => {
    const grid = gridFor(tiles, width);
    expect(grid.size).toBe(size);
    expect(grid.columns * (grid.size + grid.gap) - grid.gap).toBeLessThanOrEqual(width);
  });

  test('a point on a tile is that tile, a point between two is none', () => {
    const grid = gridFor(30, 600);
    for (const index of [0, 7, 29]) {
      const { x, y } = placeOf(grid, index);
      expect(tileAt(grid, { x: x + 1, y: y + 1 })).toBe(index);
    }
    expect(tileAt(grid, { x: grid.size + 2, y: 1 })).toBeUndefined();
  });

  test('arrow keys move by one and by a row, and stay on the map', () => {
    const map = { columns: 10, tiles: 25 };
    expect(['ArrowRight', 'ArrowDown', 'ArrowUp', 'End', 'Home', 'a'].map((key) => tileByKey(key, 3, map))).toEqual([
      4,
      13,
      0,
      24,
      0,
      undefined,
    ]);
    expect(tileByKey('ArrowRight', -1, map)).toBe(0);
    expect(tileByKey('ArrowRight', 0, { columns: 1, tiles: 0 })).toBeUndefined();
  });

  test('nodes that are not Karpenter’s come last', () => {
    const { nodePool: _, ...foreign } = aTile({ name: 'a' });
    expect(inOrder([foreign, aTile({ name: 'z' }), aTile({ name: 'b' })]).map(({ name }) => name)).toEqual(['b', 'z', 'a']);
  });

  test('a tile says in words what it shows', () => {
    expect(tileText(aTile({ heldBy: 'PDB shop/web' }))).toBe(
      'node-a · NodePool general · s-4x spot zone-1 · ready · cpu 75%, memory 13% · 3 pods · $0.200 an hour · stays: PDB shop/web',
    );
    expect(fillOf(aTile({ cpu: { requested: 0, allocatable: 0 } }), 'cpu')).toBe(0);
  });
});

describe('the colors', () => {
  test('are those of the legend, most nodes first', () => {
    const tiles = [aTile({ nodePool: 'b' }), aTile({ nodePool: 'b' }), aTile({ nodePool: 'a' })];
    const legend = legendOf(tiles, 'pool');
    expect(legend).toEqual([
      { label: 'b', nodes: 2, color: 1 },
      { label: 'a', nodes: 1, color: 0 },
    ]);
    expect(tiles.map(colorOf(legend, 'pool'))).toEqual([1, 1, 0]);
  });

  test('of a state are the same in every cluster', () => {
    expect(legendOf([aTile({ state: 'not ready' })], 'state')[0]?.color).toBe(
      legendOf([aTile(), aTile({ state: 'not ready' })], 'state')[0]?.color,
    );
  });
});

describe('the table', () => {
  const tiles = Array.from({ length: 150 }, (_, index) =>
    aTile({ name: `node-${String(index).padStart(3, '0')}`, pricePerHour: index % 3 }),
  );

  test('shows the first 100 rows of the order, and counts all', () => {
    const { rows, matching } = tableRows(tiles, { filter: '', sort: ({ pricePerHour = -1 }) => pricePerHour, descending: true });
    expect([rows.length, matching, rows[0]?.name]).toEqual([100, 150, 'node-002']);
  });

  test('keeps rows that hold every word', () => {
    expect(tableRows(tiles, { filter: 'GENERAL node-14', sort: ({ name }) => name, descending: false }).matching).toBe(10);
    expect(tableRows(tiles, { filter: 'general arm64', sort: ({ name }) => name, descending: false }).matching).toBe(0);
  });
});

test.each([
  [[], 'No price is known yet.'],
  [[1], 'unchanged since TIME'],
  [[1, 1, 1], 'unchanged since TIME'],
  [[1, 3, 1], 'the same as at TIME; between $1.000/h and $3.000/h'],
  [[1, 3, 2], '$1.000/h more than at TIME; between $1.000/h and $3.000/h'],
  [[2, 1], '$1.000/h less than at TIME; between $1.000/h and $2.000/h'],
])('prices %j are shown as "%s"', (prices, text) => {
  const shown = priceText(prices.map((pricePerHour, index) => ({ atMs: index * 1000, pricePerHour, nodes: 1 })));
  expect(shown.replace(/\d\d:\d\d(?::\d\d)?/, 'TIME')).toBe(text);
});

test('amounts are short', () => {
  expect([dollars(1.3664), dollars(2573), dollarsAMonth(1.366), dollarsAMonth(0.01)]).toEqual(['$1.366', '$2,573', '$997', '$7.3']);
  expect([ageText(500), ageText(90_000), ageText(3 * 86_400_000)]).toEqual(['0s', '1m', '3d']);
});

test('times below a chart are as fine as its marks are near', () => {
  const at = new Date(2026, 10, 4, 9, 5, 7).getTime();
  expect([1, 60, 86_400].map((step) => tickText(at, step))).toEqual(['09:05:07', '09:05', '11-04']);
});

test('a first price alone spans a second of the chart', () => {
  expect(priceSeries([{ atMs: 5000, pricePerHour: 2, nodes: 1 }])).toEqual([
    [5, 6],
    [2, 2],
  ]);
});

test('the chart ends at the price of now, also between two points and where the clock of the browser is behind', () => {
  const point = (atMs: number, pricePerHour: number) => ({ atMs, pricePerHour, nodes: 1 });
  const points = [point(10_000, 1), point(15_000, 2)];
  expect(withPriceNow(points, { pricePerHour: 2, nodes: 1 }, 17_000)).toBe(points);
  expect(withPriceNow(points, { pricePerHour: 5, nodes: 1 }, 17_000)).toEqual([...points, point(17_000, 5)]);
  expect(withPriceNow(points, { pricePerHour: 5, nodes: 1 }, 3000)).toEqual([...points, point(16_000, 5)]);
  expect(priceText(withPriceNow(points, { pricePerHour: 5, nodes: 1 }, 17_000))).toMatch(/^\$4\.000\/h more than at /);
});

test('the answer to a what-if names the preferences that pods are placed without', () => {
  const why = ['node affinity (number 1, weight 7) for 2 of 3 pods like this: no node meets it'];
  const relaxed = [{ pod: 'shop/web-1', pods: 3, preferences: [], why }];
  const plan = { nodes: [], onExistingNodes: { 'node-a': 3 }, unplaced: [], relaxed, pricePerHour: 0 };
  const { lines } = answerLines({ kind: 'plan', answer: { pods: 3, plan, leastPricePerHour: 0, alternatives: [] } });
  expect(lines).toContain(`Preferences relaxed for shop/web-1 and 2 other pods: ${why.join()}`);
});

test('the answer to a what-if says which machines stand in no zone', () => {
  const machine = { nodePool: 'web', instanceType: 'Standard_D4s_v5', capacityType: 'on-demand', count: 1, pods: 2, pricePerHour: 0.192 };
  const nodes = [
    { ...machine, zone: 'eastus-1', isZonal: true },
    { ...machine, zone: '0', isZonal: false },
  ];
  const plan = { nodes, onExistingNodes: {}, unplaced: [], relaxed: [], pricePerHour: 0.384 };
  const { lines } = answerLines({ kind: 'plan', answer: { pods: 4, plan, leastPricePerHour: 0, alternatives: [] } });
  expect(lines).toEqual(
    ['eastus-1', 'no zone (0)'].map((zone) => `1 new node Standard_D4s_v5 (on-demand, ${zone}) of NodePool web for 2 pods: $0.192/h`),
  );
});
