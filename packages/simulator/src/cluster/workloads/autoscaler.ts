import { kubeTime, parseKey } from '@karpenter/runtime';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { type ControlDeps, every, type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { containerUsages } from '../housekeeping/metrics-server.ts';
import { putCondition } from '../objects/conditions.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { isBeingDeleted, type PodObject } from '../objects/pod.ts';
import type { WorkloadObject, WorkloadStatus } from '../objects/workload.ts';
import { effectiveRequests } from '../resources/effective-requests.ts';
import { selects } from '../selectors/node-selector.ts';
import { writeStatus } from './workload-loop.ts';

interface Metric {
  readonly type: string;
  readonly resource?: { readonly name: string };
}

interface Autoscaler extends ApiObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly Metric[];
  };
  readonly status?: WorkloadStatus;
}

const autoscalers: KindRef<Autoscaler> = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v2' };
const SYNC_MS = 15_000;

/** Used cpu as a share of what the pods request, in percent; undefined while none runs that requests any. */
const cpuOf = (pods: readonly PodObject[]) => {
  const running = pods.filter(({ status }) => status?.phase === 'Running');
  const requested = running.reduce((sum, pod) => sum + (effectiveRequests(pod)['cpu'] ?? 0), 0);
  if (requested === 0) return undefined;
  const usages = running.flatMap(containerUsages);
  const used = usages.reduce((sum, { usage }) => sum + usage.cpuMillis, 0);
  return { averageUtilization: Math.round((used / requested) * 100), averageValue: `${Math.round(used / running.length)}m` };
};

const statusOf = ({ clock, pods }: ControlDeps, autoscaler: Autoscaler, target: WorkloadObject): WorkloadStatus => {
  const { minReplicas = 1, maxReplicas, metrics = [] } = autoscaler.spec;
  const current = target.spec.replicas ?? 1;
  const desired = Math.min(Math.max(current, minReplicas), maxReplicas);
  const own = pods
    .inNamespace(target.metadata.namespace ?? '')
    .filter(({ metadata }) => selects(target.spec.selector, metadata.labels ?? {}));
  const cpu = cpuOf(own);
  const isMeasured = metrics.some(({ resource }) => resource?.name === 'cpu') && cpu !== undefined;
  const condition = { type: 'ScalingActive', status: isMeasured ? ('True' as const) : ('False' as const) };
  const reason = isMeasured ? 'ValidMetricFound' : 'FailedGetResourceMetric';
  return {
    currentReplicas: current,
    desiredReplicas: desired,
    conditions: putCondition(autoscaler.status?.conditions, { ...condition, reason }, kubeTime(clock.now())),
    currentMetrics: isMeasured ? [{ type: 'Resource', resource: { name: 'cpu', current: cpu } }] : null,
  };
};

/**
 * Keeps replicas within the bounds of their HorizontalPodAutoscaler, and shows the cpu that `kubectl top` shows.
 * `Differs:` replicas do not follow that cpu, since it is made up and more replicas would not lower it.
 */
export const startAutoscalers: StartController = (deps) => {
  const { api, clock } = deps;
  const loop = createWorkLoop(clock, (key) => {
    const autoscaler = api.get(autoscalers, parseKey(key));
    if (autoscaler === undefined || isBeingDeleted(autoscaler)) return undefined;
    const { kind, apiVersion = 'apps/v1', name } = autoscaler.spec.scaleTargetRef;
    const target = api.get<WorkloadObject>({ kind, apiVersion }, { namespace: autoscaler.metadata.namespace, name });
    if (target === undefined) return undefined;
    const status = statusOf(deps, autoscaler, target);
    const replicas = Number(status['desiredReplicas']);
    if (replicas !== (target.spec.replicas ?? 1)) api.update({ ...target, spec: { ...target.spec, replicas } });
    writeStatus(api, autoscaler, status);
    return undefined;
  });
  const watch = api.watch(autoscalers, ({ type, object }) => {
    if (type !== 'DELETED') loop.add(objectKeyText(object));
  });
  const sync = every(clock, SYNC_MS, () => {
    for (const autoscaler of api.list(autoscalers)) loop.add(objectKeyText(autoscaler));
  });
  return together(watch, sync, loop);
};
