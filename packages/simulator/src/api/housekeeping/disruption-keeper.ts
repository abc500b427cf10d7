import type { TimerHandle } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { timestampOf } from '../engine/timestamp.ts';
import { jsonEqual } from '../json/equal.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { asObject } from '../json/json.ts';
import { numberAt, objectsAt, valueAt } from '../json/value-at.ts';
import { matchesLabels, selectorRequirements } from '../selectors/label-selector.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';
import { budgetsOf } from '../verbs/pod-eviction.ts';

const BUDGETS = 'poddisruptionbudgets.policy';

const share = (bound: JsonValue | undefined, total: number): number =>
  typeof bound === 'string' ? Math.ceil((Number.parseInt(bound, 10) / 100) * total) : Number(bound ?? 0);

const isHealthy = (pod: StoredObject): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  objectsAt(pod, 'status.conditions').some(({ type, status }) => type === 'Ready' && status === 'True');

/** How many pods a budget expects: the scale of their controllers, or the pods there are. */
const expectedOf = (engine: Engine, pods: readonly StoredObject[]): number => {
  const owners = new Map<string, number>();
  let bare = 0;
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const object = owner === undefined ? undefined : engine.store.find(owner.uid);
    if (object === undefined || valueAt(object, 'spec.replicas') === undefined) bare += 1;
    else owners.set(object.metadata.uid, numberAt(object, 'spec.replicas'));
  }
  return [...owners.values()].reduce((sum, replicas) => sum + replicas, bare);
};

const statusOf = (engine: Engine, budget: StoredObject): JsonObject => {
  const requirements = selectorRequirements(valueAt(budget, 'spec.selector'));
  const pods = engine.store
    .table('pods')
    .ordered(budget.metadata.namespace)
    .filter((pod) => requirements !== undefined && matchesLabels(requirements, pod.metadata.labels));
  const expectedPods = expectedOf(engine, pods);
  const [minAvailable, maxUnavailable] = [valueAt(budget, 'spec.minAvailable'), valueAt(budget, 'spec.maxUnavailable')];
  const desiredHealthy =
    maxUnavailable === undefined ? share(minAvailable, expectedPods) : Math.max(0, expectedPods - share(maxUnavailable, expectedPods));
  const currentHealthy = pods.filter(isHealthy).length;
  const allowed = expectedPods > 0 && currentHealthy > desiredHealthy ? currentHealthy - desiredHealthy : 0;
  const condition: JsonObject = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    lastTransitionTime: timestampOf(engine.nowMs),
    observedGeneration: budget.metadata.generation ?? 0,
  };
  const known = objectsAt(budget, 'status.conditions').find(
    ({ type, status }) => type === condition['type'] && status === condition['status'],
  );
  return {
    observedGeneration: budget.metadata.generation ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: [known === undefined ? condition : { ...condition, lastTransitionTime: known['lastTransitionTime'] }],
  };
};

/**
 * Keeps the status of disruption budgets current, as the disruption controller of a cluster does. Changes are gathered for one turn of the
 * clock, so that a thousand pods that become ready cost one count.
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
      if (!jsonEqual(asObject(budget['status']), status)) engine.store.put(BUDGETS, { ...asJson(budget), status });
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
