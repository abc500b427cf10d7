import { describe, expect, test } from '@jest/globals';
import type { Pod } from '@karpenter/core';
import { createScreen } from './screen.ts';
import { type NodeSight, type Sight, sightOf } from './sight.ts';
import { headline } from './table.ts';

const aNode = (overrides: Partial<NodeSight> = {}): NodeSight => ({
  name: 'general-purpose-abcde',
  phase: 'ready',
  sku: 'Standard_D8s_v5',
  zone: 'eastus-1',
  capacityType: 'on-demand',
  ageMs: 65_000,
  pods: 5,
  cpuShare: 0.64,
  pricePerHour: 0.384,
  ...overrides,
});

const aSight = (nodes: readonly NodeSight[]): Sight => ({ pods: { pending: 1, starting: 2, running: 5, ended: 0 }, nodes });

const paper = (options: { isTTY?: boolean; columns?: number; rows?: number }) => {
  const written: string[] = [];
  return { written, terminal: { ...options, write: (text: string) => written.push(text) } };
};

/** The lines of the first drawing. */
const linesOn = (size: { columns: number; rows?: number }, sight: Sight): readonly string[] => {
  const { written, terminal } = paper({ isTTY: true, ...size });
  createScreen(terminal).show(sight);
  return (written[0] ?? '').replace('\r', '').replace('\u001b[J', '').replaceAll('\u001b[K', '').split('\n').slice(0, -1);
};

describe('in a pipe', () => {
  test('events are lines, and the state is a line when it changed', () => {
    const { written, terminal } = paper({});
    const screen = createScreen(terminal);
    screen.line('▸ scale inflate to 5');
    screen.show(aSight([aNode()]));
    screen.show(aSight([aNode({ ageMs: 66_000 })]));
    screen.show(aSight([]));
    expect(written.join('')).toBe(
      '▸ scale inflate to 5\n' +
        '  8 pods: 1 pending, 2 starting, 5 running · 1 node · $0.384/h\n' +
        '  8 pods: 1 pending, 2 starting, 5 running · 0 nodes · $0.000/h\n',
    );
  });
});

describe('on a terminal', () => {
  test('the table is drawn over the one before, and events stay above it', () => {
    const { written, terminal } = paper({ isTTY: true, columns: 200 });
    const screen = createScreen(terminal);
    screen.show(aSight([aNode()]));
    screen.line('an event');
    expect(written[0]).toContain('NODE');
    expect(written[0]).toContain('Standard_D8s_v5  eastus-1  on-demand  1m05s     5  64 %  $0.384');
    expect(written[1]?.startsWith('\u001b[4A\ran event\u001b[K\n')).toBe(true);
  });

  test('nothing is written when nothing changed', () => {
    const { written, terminal } = paper({ isTTY: true, columns: 200 });
    const screen = createScreen(terminal);
    screen.show(aSight([aNode()]));
    screen.show(aSight([aNode()]));
    expect(written).toHaveLength(1);
  });

  test('80 columns have room for every column', () => {
    const lines = linesOn({ columns: 80 }, aSight([aNode({ sku: 'Standard_D48als_v6', phase: 'launching', ageMs: 600_000, pods: 110 })]));
    expect(lines.some((line) => line.endsWith('$/H'))).toBe(true);
    expect(lines.some((line) => line.endsWith('$0.384'))).toBe(true);
    expect(lines.some((line) => line.includes('D48als_v6  eastus-1  on-demand'))).toBe(true);
  });

  test('no line is wider than the terminal', () => {
    for (const line of linesOn({ columns: 40 }, aSight([aNode({ pricePerHour: undefined })]))) expect(line.length).toBeLessThan(40);
  });

  test('a long table ends above the screen and says how many nodes are not shown', () => {
    const nodes = Array.from({ length: 30 }, (_, index) => aNode({ name: `general-purpose-${String(index).padStart(2, '0')}` }));
    const lines = linesOn({ columns: 120, rows: 24 }, aSight(nodes));
    expect(lines).toHaveLength(17);
    expect(lines.at(-1)).toBe('  … and 17 more nodes');
    expect(lines.filter((line) => line.includes('general-purpose-'))).toHaveLength(13);
  });

  test('what a narrower terminal has folded is drawn over too', () => {
    const { written, terminal } = paper({ isTTY: true, columns: 200 });
    const resizable = { ...terminal };
    const screen = createScreen(resizable);
    screen.show(aSight([]));
    resizable.columns = 20;
    screen.line('an event');
    expect(written[1]?.startsWith('\u001b[5A\r')).toBe(true);
  });
});

describe('the status line', () => {
  const podsIn = (phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed', amount: number, node?: string): readonly Pod[] =>
    Array.from({ length: amount }, () => ({
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', uid: 'a' } },
      spec: { containers: [], ...(node === undefined ? {} : { nodeName: node }) },
      status: { phase },
    }));
  const lineOf = (pods: readonly Pod[]): string => headline(sightOf({ pods, nodes: [], claims: [], prices: new Map(), nowMs: 0 }));

  test('pods on a node that do not run yet › are starting, and the states add up to all pods', () => {
    const pods = [...podsIn('Pending', 6), ...podsIn('Pending', 21, 'n1'), ...podsIn('Running', 33, 'n1')];
    expect(lineOf(pods)).toBe('60 pods: 6 pending, 21 starting, 33 running · 0 nodes · $0.000/h');
  });

  test('pods that succeeded or failed › are ended, on a node or not', () => {
    const pods = [...podsIn('Succeeded', 1, 'n1'), ...podsIn('Failed', 1, 'n1'), ...podsIn('Failed', 1), ...podsIn('Running', 1, 'n1')];
    expect(lineOf(pods)).toBe('4 pods: 0 pending, 0 starting, 1 running, 3 ended · 0 nodes · $0.000/h');
  });
});
