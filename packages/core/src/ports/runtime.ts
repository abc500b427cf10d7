import type { EventRecorder as RuntimeRecorder, KubeClient } from '@karpenter/runtime';

export type { Clock, Logger } from '@karpenter/runtime';

/** Reads past the caches, for the few questions where a stale answer would cost a machine. */
export type KubeReader = Pick<KubeClient, 'get'>;

/** The writes that Karpenter does. An absent object is an outcome, never an error; failures are `KubeError`. */
export type KubeWriter = Pick<KubeClient, 'create' | 'patch' | 'patchStatus' | 'delete' | 'evict'>;

export type Kube = KubeReader & KubeWriter;

/** Records what happened to an object, for `kubectl describe`. Never fails its caller. */
export type EventRecording = Pick<RuntimeRecorder, 'record'>;

/** Label name → value; every name that was declared, no other. */
export type MetricLabels = Readonly<Record<string, string>>;

/** A metric that only grows. */
export interface Counter {
  /** `by`: 1 by default, never below zero. */
  increment(labels?: MetricLabels, by?: number): void;
}

/** A metric that is set. */
export interface Gauge {
  /** The series with these labels stays until it is set again: prefer `read` for what comes and goes. */
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

/** One series of a gauge as it stands. */
export interface Reading {
  readonly labels: MetricLabels;
  readonly value: number;
}

/** Where metrics are made. Asking for a name twice gives the same metric. */
export interface Metrics {
  counter(spec: MetricSpec): Counter;
  /**
   * With `read` nobody sets it: its series are read when somebody asks, so that none costs memory, and none outlives
   * what it is about.
   */
  gauge(spec: MetricSpec, read?: () => Iterable<Reading>): Gauge;
  histogram(spec: MetricSpec): Histogram;
}
