import { expect, test } from '@jest/globals';
import { metricDifferences } from './metric-differences.ts';
import { originalMetrics } from './original-metrics.ts';
import { registeredMetrics } from './registered-metrics.ts';

const ours = new Map((await registeredMetrics()).map((metric) => [metric.name, metric]));

/** A provider adds its own labels to the ages of nodes, in the original too. */
const OPEN = new Set(['karpenter_nodes_current_lifetime_seconds']);

const same = [...originalMetrics].filter(([name]) => !metricDifferences.has(name));

test.each(same)('%s is here with the type and the labels of the original', (name, { type, labelNames }) => {
  const own = ours.get(name);
  expect(own?.type).toBe(type);
  const kept = OPEN.has(name) ? own?.labelNames.filter((label) => labelNames.includes(label)) : own?.labelNames;
  expect([...(kept ?? [])].sort()).toEqual([...labelNames].sort());
});

test.each([...metricDifferences.keys()])('%s is a metric of the original, and differs', (name) => {
  const original = originalMetrics.get(name);
  expect(original).toBeDefined();
  expect(ours.get(name)?.type).not.toBe(original?.type);
});
