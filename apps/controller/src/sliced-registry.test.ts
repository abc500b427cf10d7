import { expect, test } from '@jest/globals';
import { silentLogger } from '@karpenter/runtime';
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

test('a gauge that throws when it is read is left out and logged: the others are shown', async () => {
  const lines: unknown[] = [];
  const logger = { ...silentLogger, error: (message: string, fields?: object) => void lines.push({ message, ...fields }) };
  const registry = filled(new SlicedRegistry(logger), 1);
  const read = (): never => {
    throw new RangeError('Invalid time value');
  };
  prometheusMetrics(registry).gauge({ name: 'odd', help: 'Odd.', labelNames: [] }, read);
  expect(await registry.metrics()).toContain('c{a="x\\"y"} 1');
  expect(lines).toMatchObject([{ message: 'a metric could not be read', metric: 'odd' }]);
});
