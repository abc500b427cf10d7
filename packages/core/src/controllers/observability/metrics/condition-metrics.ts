import type { Metrics } from '../../../ports/index.ts';

/** 0.5 s to about two hours. */
const BUCKETS = Array.from({ length: 15 }, (_, index) => 0.5 * 2 ** index);
const LABELS = ['type', 'status', 'reason'];

/**
 * The metrics about the conditions of one kind, `nodeclaim` or another; the names are operatorpkg's. `objectLabels`: what
 * they say of the object.
 */
export const conditionMetrics = (metrics: Metrics, kind: string, objectLabels: readonly string[]) => ({
  transitions: metrics.counter({
    name: `operator_${kind}_status_condition_transitions_total`,
    help: 'The count of transitions of a given object, type and status.',
    labelNames: [...LABELS, ...objectLabels],
  }),
  seconds: metrics.histogram({
    name: `operator_${kind}_status_condition_transition_seconds`,
    help: 'The amount of time a condition was in a given state before transitioning.',
    labelNames: ['type', 'status', ...objectLabels],
    buckets: BUCKETS,
  }),
  terminationSeconds: metrics.histogram({
    name: `operator_${kind}_termination_duration_seconds`,
    help: 'The amount of time taken by an object to terminate completely.',
    labelNames: objectLabels,
    buckets: BUCKETS,
  }),
});

export type ConditionMetrics = ReturnType<typeof conditionMetrics>;
