/** Label name → value; every name that was declared, no other. */
export type MetricLabels = Readonly<Record<string, string>>;

export interface Counter {
  increment(labels?: MetricLabels, by?: number): void;
}

export interface Gauge {
  set(value: number, labels?: MetricLabels): void;
}

export interface Histogram {
  observe(value: number, labels?: MetricLabels): void;
}

export interface MetricSpec {
  /** Full name: `karpenter_nodeclaims_created_total`. */
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Upper bounds of a histogram's buckets; the registry's own when left out. */
  readonly buckets?: readonly number[];
}

/** Where metrics are made. Asking for a name twice gives the same metric. */
export interface Metrics {
  counter(spec: MetricSpec): Counter;
  gauge(spec: MetricSpec): Gauge;
  histogram(spec: MetricSpec): Histogram;
}
