import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { prometheusMetrics } from './prometheus.ts';

test('a gauge that is read shows at each scrape what there is then, and nothing that is gone', async () => {
  const registry = new Registry();
  let pools = ['a', 'b'];
  const read = () => pools.map((nodepool, index) => ({ labels: { nodepool }, value: index }));
  prometheusMetrics(registry).gauge({ name: 'x', help: 'An x.', labelNames: ['nodepool'] }, read);
  expect(await registry.metrics()).toBe('# HELP x An x.\n# TYPE x gauge\nx{nodepool="a"} 0\nx{nodepool="b"} 1\n');
  pools = ['b'];
  expect(await registry.metrics()).toBe('# HELP x An x.\n# TYPE x gauge\nx{nodepool="b"} 0\n');
});
