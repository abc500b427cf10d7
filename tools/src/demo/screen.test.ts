import { describe, expect, test } from '@jest/globals';
import { createScreen, type Terminal } from './screen.ts';
import type { NodeSight, Sight } from './sight.ts';

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

const aSight = (nodes: readonly NodeSight[]): Sight => ({ pods: { pending: 1, bound: 5, running: 5 }, nodes });

const paper = (options: Pick<Terminal, 'isTTY' | 'columns'>) => {
  const written: string[] = [];
  return { written, terminal: { ...options, write: (text: string) => written.push(text) } };
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
      '▸ scale inflate to 5\n  1 pod pending · 5 running · 1 node · $0.384/h\n  1 pod pending · 5 running · 0 nodes · $0.000/h\n',
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
    expect(written[0]).toContain('Standard_D8s_v5  eastus-1  on-demand  1 m 05 s     5  64 %  $0.384');
    expect(written[1]?.startsWith('\u001b[4A\r\u001b[0Jan event\n')).toBe(true);
  });

  test('no line is wider than the terminal', () => {
    const { written, terminal } = paper({ isTTY: true, columns: 40 });
    createScreen(terminal).show(aSight([aNode({ pricePerHour: undefined })]));
    const [, drawn = ''] = (written[0] ?? '').split('\u001b[0J');
    for (const text of drawn.split('\n')) expect(text.length).toBeLessThan(40);
  });
});
