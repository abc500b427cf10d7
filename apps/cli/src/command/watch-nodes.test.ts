import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import xterm from '@xterm/headless';
import { kwokCatalog } from '../catalog/kwok-catalog.ts';
import { fileReader } from '../read/file-reader.ts';
import { openCluster, type OpenedCluster } from '../read/opened-cluster.ts';
import { aSampleNode, SAMPLE_NOW_MS, sampleCluster } from '../testing/sample-cluster.ts';
import { watchNodes } from './watch-nodes.ts';
import type { World } from './world.ts';

const START = '\u001b[?25l';
const END = '\u001b[?25h';

/** What the watch is shown with. */
interface Watching {
  readonly nodes: number;
  readonly rows?: number;
  readonly lostSinceMs?: number;
  /** Takes the place of the first snapshot that is read. */
  readonly failure?: Error;
}

/** Watches for a minute: what was written, and what the watch ended with. */
const watch = async ({ nodes, rows, lostSinceMs, failure }: Watching) => {
  const more = Array.from({ length: nodes }, (_, index) =>
    aSampleNode({ name: `more-${index + 10}`, nodePool: 'general', cpus: 4 }),
  ).flat();
  const clock = fakeClock(SAMPLE_NOW_MS);
  const reader = fileReader([...sampleCluster(), ...more]);
  await using opened = await openCluster({ reader, clock, catalogs: [kwokCatalog()], lostSinceMs: () => lostSinceMs });
  const cluster: OpenedCluster = failure === undefined ? opened : { ...opened, snapshot: () => Promise.reject(failure) };
  const stopping = new AbortController();
  const written: string[] = [];
  const complaints: string[] = [];
  const terminal = rows === undefined ? {} : { width: 120, height: rows };
  const world: World = {
    out: { write: (text) => void written.push(text), width: undefined, hasColor: false, ...terminal },
    complain: (line) => complaints.push(line),
    readText: () => Promise.reject(new Error('no file')),
    ...{ env: {}, clock, signal: stopping.signal },
  };
  const watching = watchNodes(cluster, { output: 'text' }, world).catch((error: unknown) => error);
  for (let period = 0; period < 3; period += 1) await clock.advance(20_000);
  stopping.abort();
  const ended = await watching;
  return { ended, written, complaints };
};

/** The lines of a terminal, and of what has scrolled out of it, once the text was written. */
const linesOn = async (rows: number, text: string): Promise<readonly string[]> => {
  const terminal = new xterm.Terminal({ cols: 120, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>((resolve) => {
    terminal.write(text, resolve);
  });
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '').filter(
    (line) => line !== '',
  );
};

describe('karpenter nodes --watch', () => {
  test('more nodes than rows › the screen holds one table, cut, with its totals', async () => {
    const { ended, written } = await watch({ nodes: 30, rows: 20 });
    expect(ended).toBe(0);
    const lines = await linesOn(20, written.join(''));
    expect(lines.filter((line) => line.startsWith('NODE '))).toHaveLength(1);
    expect(lines.length).toBeLessThan(20);
    const shown = lines.filter((line) => line.includes(' ready ')).length;
    expect(lines).toContain(`… and ${35 - shown} more`);
    expect(lines.join('\n')).toMatch(/more\n35 nodes · .*\nprice unchanged since/);
  });

  test('rows for all nodes › all are shown', async () => {
    const { written } = await watch({ nodes: 0, rows: 20 });
    const lines = await linesOn(20, written.join(''));
    expect(lines.filter((line) => line.includes(' ready '))).toHaveLength(5);
    expect(lines.join()).not.toContain(' more');
  });

  test('an error › the cursor is shown again', async () => {
    const failure = new Error('torn');
    const { ended, written } = await watch({ nodes: 0, rows: 20, failure });
    expect(ended).toBe(failure);
    expect([written[0], written.at(-1)]).toEqual([START, END]);
  });

  test('an API server that no longer answers › the table says since when', async () => {
    const { written } = await watch({ nodes: 0, rows: 20, lostSinceMs: SAMPLE_NOW_MS });
    expect((await linesOn(20, written.join(''))).at(-1)).toMatch(/^not connected since \d\d:\d\d:\d\d: this is what was read before/);
  });

  test('in a pipe › an API server that no longer answers is said once, on standard error', async () => {
    const { complaints } = await watch({ nodes: 0, lostSinceMs: SAMPLE_NOW_MS });
    expect(complaints).toEqual([expect.stringMatching(/^not connected since/)]);
  });
});
