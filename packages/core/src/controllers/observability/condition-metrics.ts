import type { Condition } from '../../kube/index.ts';
import type { Gauge, MetricLabels, Metrics } from '../../ports/index.ts';

/** 0.5 s to about two hours. */
const BUCKETS = Array.from({ length: 15 }, (_, index) => 0.5 * 2 ** index);
const LABELS = ['type', 'status', 'reason'];

/** The metrics about the conditions of one kind, `nodeclaim` or another; the names are operatorpkg's. */
export const conditionMetrics = (metrics: Metrics, kind: string) => ({
  transitions: metrics.counter({
    name: `operator_${kind}_status_condition_transitions_total`,
    help: 'The count of transitions of a given object, type and status.',
    labelNames: LABELS,
  }),
  seconds: metrics.histogram({
    name: `operator_${kind}_status_condition_transition_seconds`,
    help: 'The amount of time a condition was in a given state before transitioning.',
    labelNames: ['type', 'status'],
    buckets: BUCKETS,
  }),
  count: metrics.gauge({
    name: `operator_${kind}_status_condition_count`,
    help: 'The number of conditions of a given type, status and reason.',
    labelNames: LABELS,
  }),
  terminationSeconds: metrics.histogram({
    name: `operator_${kind}_termination_duration_seconds`,
    help: 'The amount of time taken by an object to terminate completely.',
    labelNames: [],
    buckets: BUCKETS,
  }),
});

export type ConditionMetrics = ReturnType<typeof conditionMetrics>;

interface Count {
  readonly labels: MetricLabels;
  readonly count: number;
}

/**
 * Sets a gauge to how many objects say what; what nobody says any more becomes 0.
 * Differs: the original has a series for each object, which makes a hundred thousand of them for five thousand nodes.
 */
export class ConditionCount {
  readonly #gauge: Gauge;
  #last: ReadonlyMap<string, Count> = new Map();

  constructor(gauge: Gauge) {
    this.#gauge = gauge;
  }

  set(conditions: Iterable<Condition>): void {
    const counts = new Map<string, Count>();
    for (const { type, status, reason = '' } of conditions) {
      const labels = { type, status, reason };
      const key = `${type} ${status} ${reason}`;
      counts.set(key, { labels, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    for (const [key, { labels }] of this.#last) if (!counts.has(key)) this.#gauge.set(0, labels);
    for (const { labels, count } of counts.values()) this.#gauge.set(count, labels);
    this.#last = counts;
  }
}
