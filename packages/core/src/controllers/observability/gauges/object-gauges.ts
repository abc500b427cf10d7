import type { Condition, Node, Resources } from '../../../kube/index.ts';
import type { MetricLabels, Metrics, Reading } from '../../../ports/index.ts';
import { labels } from '../../../apis/index.ts';
import type { LabelCatalog } from '../../../apis/index.ts';
import type { Conditioned } from '../../../actions/index.ts';
import { epochMsOf } from '../../../base/index.ts';

/** `ephemeral-storage` → `ephemeral_storage`, as the original writes it. */
export const resourceTypeLabel = (resource: string): string => resource.toLowerCase().replaceAll('-', '_');

/** A series for each resource, labelled `resource_type`: cpu in cores, memory in bytes, else counts. */
export const resourceReadings = (resources: Resources, labels: MetricLabels): readonly Reading[] =>
  Object.entries(resources).map(([resource, amount]) => ({
    labels: { resource_type: resourceTypeLabel(resource), ...labels },
    value: resource === 'cpu' ? amount / 1000 : amount,
  }));

/** `topology.kubernetes.io/zone` → `zone`. Source: the original's `pkg/controllers/metrics/node/controller.go`. */
const metricLabelOf = (key: string): string =>
  key
    .slice(key.indexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');

/** How the metrics of single nodes are labelled: who the node is, and what is well known of it. */
export interface NodeSeries {
  readonly labelNames: readonly string[];
  readonly labelsOf: (node: Node) => MetricLabels;
}

/** The series of nodes, with a label for each well-known one of the catalog; empty where a node lacks it. */
export const nodeSeries = ({ wellKnown }: LabelCatalog): NodeSeries => {
  const named = new Map([...wellKnown].map((key) => [metricLabelOf(key), key]));
  return {
    labelNames: ['node_name', 'phase', 'managed', ...named.keys()],
    labelsOf: ({ metadata, status }) => ({
      node_name: metadata.name,
      phase: status?.phase ?? '',
      managed: String(metadata.labels?.[labels.nodePool] !== undefined),
      ...Object.fromEntries([...named].map(([name, key]) => [name, metadata.labels?.[key] ?? ''])),
    }),
  };
};

const OBJECT = ['namespace', 'name'];
const CONDITION = [...OBJECT, 'type', 'status', 'reason'];

/** Metrics show so many conditions of one object: a kubelet may write thousands into the status of its node. */
const MOST_CONDITIONS = 64;

export const shownConditions = ({ status }: Conditioned): readonly Condition[] => (status?.conditions ?? []).slice(0, MOST_CONDITIONS);

function* conditionReadings(source: ObjectSource, valueOf: (condition: Condition) => number): Iterable<Reading> {
  for (const object of source.objects()) {
    for (const condition of shownConditions(object)) {
      const { type, status, reason = '' } = condition;
      yield { labels: { ...identityOf(source, object), type, status, reason }, value: valueOf(condition) };
    }
  }
}

function* terminationReadings(source: ObjectSource): Iterable<Reading> {
  for (const object of source.objects()) {
    const askedMs = epochMsOf(object.metadata.deletionTimestamp);
    if (askedMs !== undefined) yield { labels: identityOf(source, object), value: Math.max(0, source.nowMs() - askedMs) / 1000 };
  }
}

/** What the gauges of one kind are read from. */
export interface ObjectSource {
  /** `nodeclaim` or another. */
  readonly kind: string;
  readonly objects: () => readonly Conditioned[];
  readonly nowMs: () => number;
  /** Beside its namespace and name. */
  readonly labelNames: readonly string[];
  readonly labelsOf: (object: Conditioned) => MetricLabels;
}

const identityOf = ({ labelsOf }: ObjectSource, object: Conditioned): MetricLabels => {
  const { namespace = '', name } = object.metadata;
  return { namespace, name, ...labelsOf(object) };
};

/**
 * Gauges with a series for each condition of each object, and for each object that is going. Source:
 * awslabs/operatorpkg, `status/metrics.go`. Differs: the names without a kind, which are deprecated there, are left
 * out.
 */
export const objectGauges = (metrics: Metrics, source: ObjectSource): void => {
  const { kind, nowMs, labelNames } = source;
  const lastedSeconds = ({ lastTransitionTime }: Condition): number =>
    Math.max(0, nowMs() - (epochMsOf(lastTransitionTime) ?? nowMs())) / 1000;
  metrics.gauge(
    {
      name: `operator_${kind}_status_condition_count`,
      help: 'The number of a condition for a given object, type and status.',
      labelNames: [...CONDITION, ...labelNames],
    },
    () => conditionReadings(source, () => 1),
  );
  metrics.gauge(
    {
      name: `operator_${kind}_status_condition_current_status_seconds`,
      help: 'The current amount of time in seconds that a status condition has been in a specific state.',
      labelNames: [...CONDITION, ...labelNames],
    },
    () => conditionReadings(source, lastedSeconds),
  );
  metrics.gauge(
    {
      name: `operator_${kind}_termination_current_time_seconds`,
      help: 'The current amount of time in seconds that an object has been in terminating state.',
      labelNames: [...OBJECT, ...labelNames],
    },
    () => terminationReadings(source),
  );
};
