import { expect, test } from '@jest/globals';
import type { SoakSample } from './process-use.ts';
import { soakPlot } from './soak-plot.ts';

const sample: SoakSample = {
  ...{ atMs: 0, heapBytes: 2 ** 20, dataBytes: 2 ** 19, residentBytes: 2 ** 21, handles: 3, timers: 4, loopDelayMs: 5 },
  ...{ nodes: 6, pods: 7, watches: 8, missed: 0 },
};

test('every figure has a line through all its points', () => {
  const plot = soakPlot([sample, { ...sample, atMs: 60_000 }, { ...sample, atMs: 120_000 }]);
  const lines = [...plot.matchAll(/ d="([^"]*)"/g)].map(([, line = '']) => line.match(/[ML]/g)?.length);
  expect(lines).toEqual(Array(10).fill(3));
});
