import type { Metrics } from '@karpenter/core/controllers';
import type { MetricSpec } from '@karpenter/core/internal';
import { Counter, Gauge, Histogram, type Metric, type Registry } from 'prom-client';
import { ReadGauge } from './read-gauge.ts';

const DEFAULT_BUCKETS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600];

/** Core's metrics in a prom-client registry. A name that is registered already returns the existing metric. */
export const prometheusMetrics = (registry: Registry): Metrics => {
  const existing = new Map<string, Metric>();
  const once = <M extends Metric>({ name }: MetricSpec, make: () => M): M => {
    const metric = (existing.get(name) as M | undefined) ?? make();
    existing.set(name, metric);
    return metric;
  };
  const configuration = ({ name, help, labelNames }: MetricSpec) => ({ name, help, labelNames: [...labelNames], registers: [registry] });
  return {
    counter: (spec) => {
      const counter = once(spec, () => new Counter(configuration(spec)));
      return { increment: (labels = {}, by = 1) => counter.inc(labels, by) };
    },
    gauge: (spec, read) => {
      const gauge = once(spec, () => (read === undefined ? new Gauge(configuration(spec)) : new ReadGauge(configuration(spec), read)));
      return { set: (value, labels = {}) => gauge.set(labels, value) };
    },
    histogram: (spec) => {
      const buckets = [...(spec.buckets ?? DEFAULT_BUCKETS)];
      const histogram = once(spec, () => new Histogram({ ...configuration(spec), buckets }));
      return { observe: (value, labels = {}) => histogram.observe(labels, value) };
    },
  };
};
