import { expect, test } from '@jest/globals';
import type { SoakSample } from './process-use.ts';
import { soakPlot } from './soak-plot.ts';

const sample: SoakSample = {
  ...{ atMs: 0, heapBytes: 2 ** 20, dataBytes: 2 ** 19, residentBytes: 2 ** 21, handles: 3, timers: 4, loopDelayMs: 5 },
  ...{ nodes: 6, pods: 7, watches: 8, watchStarts: 9, missed: 0 },
};

test('every figure has a line through all its points', () => {
  const plot = soakPlot([sample, { ...sample, atMs: 60_000 }, { ...sample, atMs: 120_000 }]);
  const lines = [...plot.matchAll(/ d="([^"]*)"/g)].map(([, line = '']) => line.match(/[ML]/g)?.length);
  expect(lines).toEqual(Array(11).fill(3));
});

test('what was not measured has no chart', () => {
  const { timers: _, loopDelayMs: __, ...shared } = sample;
  const plot = soakPlot([shared, { ...shared, atMs: 60_000 }]);
  expect(plot.match(/class="title"/g)).toHaveLength(9);
  expect(plot).not.toMatch(/timers|event loop/);
});
