import { expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../../apis/index.ts';
import type { Reading } from '../../../ports/index.ts';
import { nodeLifetimes } from './lifetimes.ts';
import { nodeSeries } from '../gauges/object-gauges.ts';

test('a node’s age is labelled with what is well known of it, and whether it is Karpenter’s', () => {
  const metric = { increment: () => undefined, set: () => undefined, observe: () => undefined };
  let labelNames: readonly string[] = [];
  let read: () => Iterable<Reading> = () => [];
  const node = (name: string, labels: Readonly<Record<string, string>>) => ({
    metadata: { name, labels, creationTimestamp: '2026-01-01T00:00:00Z' },
  });
  nodeLifetimes(
    {
      counter: () => metric,
      histogram: () => metric,
      gauge: (spec, reading = () => []) => {
        [labelNames, read] = [spec.labelNames, reading];
        return metric;
      },
    },
    {
      nodes: () => [node('a', { 'karpenter.sh/nodepool': 'general', 'topology.kubernetes.io/zone': 'z1' }), node('b', {})],
      series: nodeSeries(defaultLabelCatalog),
      nowMs: () => Date.UTC(2026, 0, 1, 0, 1),
    },
  );
  const [first, second] = read();
  expect(first).toMatchObject({
    value: 60,
    labels: { node_name: 'a', managed: 'true', nodepool: 'general', zone: 'z1', capacity_type: '' },
  });
  expect(second).toMatchObject({ labels: { node_name: 'b', managed: 'false' } });
  expect(Object.keys(first?.labels ?? {}).sort()).toEqual([...labelNames].sort());
});
