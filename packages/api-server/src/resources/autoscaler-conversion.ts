import type { JsonObject } from '../json/json.ts';
import { asRecord } from '../json/json.ts';
import { objectsAt, valueAt } from '../json/value-at.ts';
import type { VersionConversion } from './resource.ts';

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
