import { kubeTime, type TimerHandle } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonEqual, type JsonObject, type JsonValue, objectsAt, valueAt } from '../json/json.ts';
import { matchesLabels, selectorRequirements } from '../selectors/label-selector.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { budgetsOf } from '../verbs/pod-eviction.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

const share = (bound: JsonValue | undefined, total: number): number =>
  typeof bound === 'string' ? Math.ceil((Number.parseInt(bound, 10) / 100) * total) : Number(bound ?? 0);

const isHealthy = (pod: StoredObject): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  objectsAt(pod, 'status.conditions').some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * The scale that the controllers of some pods ask for; undefined when one of them has none. Pods without a controller
 * do not count.
 */
const scaleOf = (engine: Engine, pods: readonly StoredObject[]): number | undefined => {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) continue;
    const replicas = valueAt(engine.store.find(owner.uid) ?? {}, 'spec.replicas');
    if (typeof replicas !== 'number') return undefined;
    scales.set(owner.uid, replicas);
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
};

interface Expectation {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/**
 * What a budget expects. A number of available pods counts existing pods; everything else counts the scale of their
 * controllers; undefined when that is unknown: no pod may be evicted then. Source: `getExpectedPodCount` and `failSafe`
 * of `pkg/controller/disruption/disruption.go`.
 */
const expectationOf = (engine: Engine, budget: StoredObject, pods: readonly StoredObject[]): Expectation | undefined => {
  const [minAvailable, maxUnavailable] = [valueAt(budget, 'spec.minAvailable'), valueAt(budget, 'spec.maxUnavailable')];
  if (typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable };
  const expectedPods = scaleOf(engine, pods);
  if (expectedPods === undefined) return undefined;
  if (maxUnavailable === undefined) return { expectedPods, desiredHealthy: share(minAvailable, expectedPods) };
  return { expectedPods, desiredHealthy: Math.max(0, expectedPods - share(maxUnavailable, expectedPods)) };
};

const allowedOf = (expectation: Expectation | undefined, currentHealthy: number): number =>
  expectation === undefined || expectation.expectedPods === 0 ? 0 : Math.max(0, currentHealthy - expectation.desiredHealthy);

const reasonOf = (expectation: Expectation | undefined, allowed: number): string => {
  if (expectation === undefined) return 'SyncFailed';
  return allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
};

const statusOf = (engine: Engine, budget: StoredObject): JsonObject => {
  const requirements = selectorRequirements(valueAt(budget, 'spec.selector'));
  const pods = engine.store
    .table('pods')
    .ordered(budget.metadata.namespace)
    .filter((pod) => requirements !== undefined && matchesLabels(requirements, pod.metadata.labels));
  const expectation = expectationOf(engine, budget, pods);
  const currentHealthy = pods.filter(isHealthy).length;
  const allowed = allowedOf(expectation, currentHealthy);
  const condition: JsonObject = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: reasonOf(expectation, allowed),
    message: '',
    lastTransitionTime: kubeTime(engine.nowMs),
    observedGeneration: budget.metadata.generation ?? 0,
  };
  const known = objectsAt(budget, 'status.conditions').find(
    ({ type, status }) => type === condition['type'] && status === condition['status'],
  );
  return {
    observedGeneration: budget.metadata.generation ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy,
    desiredHealthy: expectation?.desiredHealthy ?? 0,
    expectedPods: expectation?.expectedPods ?? 0,
    conditions: [known === undefined ? condition : { ...condition, lastTransitionTime: known['lastTransitionTime'] }],
  };
};

/**
 * Keeps the status of disruption budgets current, as the disruption controller of a cluster does. Changes are gathered
 * for one turn of the clock, so that a thousand pods that become ready cost one count.
 */
export const startDisruptionKeeper = (engine: Engine): Disposable => {
  const stale = new Set<string>();
  let timer: TimerHandle | undefined;
  const refresh = (): void => {
    timer = undefined;
    for (const uid of stale) {
      const budget = engine.store.find(uid);
      if (budget === undefined) continue;
      const status = statusOf(engine, budget);
      if (!jsonEqual(asRecord(budget['status']), status)) engine.store.put(BUDGETS, { ...asJson(budget), status });
    }
    stale.clear();
  };
  const mark = (budget: StoredObject): void => {
    stale.add(budget.metadata.uid);
    timer ??= engine.clock.setTimeout(refresh, 0);
  };
  const pods = engine.store.listen('pods', ({ object, previous }) => {
    const current = budgetsOf(engine, object);
    for (const budget of current) mark(budget);
    if (previous !== undefined && !jsonEqual(previous.metadata.labels, object.metadata.labels)) budgetsOf(engine, previous).forEach(mark);
  });
  const budgets = engine.store.listen(BUDGETS, ({ type, object, previous }) => {
    if (type !== 'DELETED' && previous?.metadata.generation !== object.metadata.generation) mark(object);
  });
  return {
    [Symbol.dispose]: () => {
      pods[Symbol.dispose]();
      budgets[Symbol.dispose]();
      timer?.cancel();
    },
  };
};
