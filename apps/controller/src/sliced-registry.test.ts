import { expect, test } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { prometheusMetrics } from './prometheus.ts';
import { SlicedRegistry } from './sliced-registry.ts';

/** Something of each sort, and a gauge of so many series. */
const filled = <R extends Registry>(registry: R, series: number): R => {
  new Counter({ name: 'c', help: 'A c.\nIn two lines.', labelNames: ['a'], registers: [registry] }).inc({ a: 'x"y' });
  new Histogram({ name: 'h', help: 'An h.', buckets: [1, 2], registers: [registry] }).observe(1.5);
  const readings = Array.from({ length: series }, (_, index) => ({ labels: { pod: `web-${index}\n` }, value: index }));
  prometheusMetrics(registry).gauge({ name: 'g', help: 'A g.\nIn two lines.', labelNames: ['pod'] }, () => readings);
  prometheusMetrics(registry).gauge({ name: 'z', help: 'A z.', labelNames: [] }, () => []);
  return registry;
};

test.each([0, 1, 499, 500, 501, 1000, 1234])('a gauge of %i series is written as in one go', async (series) => {
  expect(await filled(new SlicedRegistry(), series).metrics()).toBe(await filled(new Registry(), series).metrics());
});

test('others have their turns while it is written', async () => {
  const registry = filled(new SlicedRegistry(), 5000);
  let turns = 0;
  let isWritten = false;
  const count = (): void => {
    turns += 1;
    if (!isWritten) setImmediate(count);
  };
  setImmediate(count);
  await registry.metrics();
  isWritten = true;
  expect(turns).toBeGreaterThanOrEqual(10);
});
