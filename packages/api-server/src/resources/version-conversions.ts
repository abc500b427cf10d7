import { asRecord, type JsonObject, objectsAt, valueAt } from '../json/json.ts';
import type { VersionConversion } from './resource.ts';

/** Names in events.k8s.io/v1 → names in core/v1, where the same events are stored. */
const NAMES: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

const renamed = (object: JsonObject, names: ReadonlyMap<string, string>, apiVersion: string): JsonObject => ({
  ...Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value])),
  apiVersion,
});

const TO_CORE = new Map(NAMES);
const FROM_CORE = new Map(NAMES.map(([mine, core]) => [core, mine]));

/** Events of events.k8s.io/v1 as core/v1 events and back. */
export const EVENTS_CONVERSION: VersionConversion = {
  toStored: (object) => renamed(object, TO_CORE, 'v1'),
  fromStored: (object) => renamed(object, FROM_CORE, 'events.k8s.io/v1'),
};

const V1 = 'autoscaling/v1';

const cpuMetric = (percent: unknown): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: Number(percent) } },
});

const fromStored = (object: JsonObject): JsonObject => {
  const { metrics: _, behavior: __, ...spec } = asRecord(object['spec']);
  const cpu = objectsAt(object, 'spec.metrics').find((metric) => valueAt(metric, 'resource.name') === 'cpu');
  const percent = valueAt(cpu, 'resource.target.averageUtilization');
  const { currentMetrics: ___, conditions: ____, ...status } = asRecord(object['status']);
  return {
    ...object,
    apiVersion: V1,
    spec: { ...spec, ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }) },
    status: { currentReplicas: 0, desiredReplicas: 0, ...status },
  };
};

const toStored = (object: JsonObject): JsonObject => {
  const { targetCPUUtilizationPercentage: percent, ...spec } = asRecord(object['spec']);
  return {
    ...object,
    apiVersion: 'autoscaling/v2',
    spec: { ...spec, ...(percent === undefined ? {} : { metrics: [cpuMetric(percent)] }) },
  };
};

/**
 * HorizontalPodAutoscalers of autoscaling/v1, which know one target of cpu. `Differs:` other metrics are not kept in
 * annotations, so that an update through v1 loses them.
 */
export const AUTOSCALER_CONVERSION: VersionConversion = { fromStored, toStored };
