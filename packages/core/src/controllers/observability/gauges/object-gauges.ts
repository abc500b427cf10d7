import type { Conditioned } from '../../../actions/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { Condition } from '../../../kube/index.ts';
import type { MetricLabels, Metrics, Reading } from '../../../ports/index.ts';

const OBJECT = ['namespace', 'name'];
const CONDITION = [...OBJECT, 'type', 'status', 'reason'];

const objectLabels = ({ metadata: { namespace = '', name } }: Conditioned): MetricLabels => ({ namespace, name });

function* conditionReadings(objects: readonly Conditioned[], valueOf: (condition: Condition) => number): Iterable<Reading> {
  for (const object of objects) {
    for (const condition of object.status?.conditions ?? []) {
      const { type, status, reason = '' } = condition;
      yield { labels: { ...objectLabels(object), type, status, reason }, value: valueOf(condition) };
    }
  }
}

function* terminationReadings(objects: readonly Conditioned[], nowMs: number): Iterable<Reading> {
  for (const object of objects) {
    const askedMs = epochMsOf(object.metadata.deletionTimestamp);
    if (askedMs !== undefined) yield { labels: objectLabels(object), value: Math.max(0, nowMs - askedMs) / 1000 };
  }
}

/** What the gauges of one kind are read from. */
export interface ObjectSource {
  /** `nodeclaim` or another. */
  readonly kind: string;
  readonly objects: () => readonly Conditioned[];
  readonly nowMs: () => number;
}

/**
 * Gauges with a series for each condition of each object, and for each object that is going. Source:
 * awslabs/operatorpkg, `status/metrics.go`. Differs: the names without a kind, which are deprecated there, are left
 * out.
 */
export const objectGauges = (metrics: Metrics, { kind, objects, nowMs }: ObjectSource): void => {
  const lastedSeconds = ({ lastTransitionTime }: Condition): number =>
    Math.max(0, nowMs() - (epochMsOf(lastTransitionTime) ?? nowMs())) / 1000;
  metrics.gauge(
    {
      name: `operator_${kind}_status_condition_count`,
      help: 'The number of a condition for a given object, type and status.',
      labelNames: CONDITION,
    },
    () => conditionReadings(objects(), () => 1),
  );
  metrics.gauge(
    {
      name: `operator_${kind}_status_condition_current_status_seconds`,
      help: 'The current amount of time in seconds that a status condition has been in a specific state.',
      labelNames: CONDITION,
    },
    () => conditionReadings(objects(), lastedSeconds),
  );
  metrics.gauge(
    {
      name: `operator_${kind}_termination_current_time_seconds`,
      help: 'The current amount of time in seconds that an object has been in terminating state.',
      labelNames: OBJECT,
    },
    () => terminationReadings(objects(), nowMs()),
  );
};
