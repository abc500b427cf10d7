import type { Condition } from '@karpenter/core';
import type { ApiObject, LocalApi } from '@karpenter/api-server';
import { kubeTime, parseKey } from '@karpenter/runtime';
import { type ControlDeps, type StartController, together } from '../control/control-deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { putCondition } from '../objects/conditions.ts';
import { objectKeyText } from '../objects/object-key.ts';
import { isBeingDeleted, isReady, type PodObject, podKind } from '../objects/pod.ts';
import { type PodDisruptionBudgetObject, podDisruptionBudgets, type WorkloadStatus } from '../objects/workload.ts';
import { selects } from '../selectors/node-selector.ts';

const shareOf = (bound: number | string = 0, total: number): number =>
  typeof bound === 'string' ? Math.ceil((Number.parseInt(bound, 10) / 100) * total) : bound;

/**
 * The scale that the controllers of some pods ask for; undefined when one of them has none. Pods without a controller
 * do not count.
 */
const scaleOf = (api: LocalApi, pods: readonly PodObject[]): number | undefined => {
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) continue;
    const found: (ApiObject & { readonly spec?: { readonly replicas?: unknown } }) | undefined = api.find(owner.uid);
    const replicas = found?.spec?.replicas;
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
const expectationOf = (api: LocalApi, { spec }: PodDisruptionBudgetObject, pods: readonly PodObject[]): Expectation | undefined => {
  const { minAvailable, maxUnavailable } = spec;
  if (typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable };
  const expectedPods = scaleOf(api, pods);
  if (expectedPods === undefined) return undefined;
  if (maxUnavailable === undefined) return { expectedPods, desiredHealthy: shareOf(minAvailable, expectedPods) };
  return { expectedPods, desiredHealthy: Math.max(0, expectedPods - shareOf(maxUnavailable, expectedPods)) };
};

const allowedOf = (expectation: Expectation | undefined, currentHealthy: number): number =>
  expectation === undefined || expectation.expectedPods === 0 ? 0 : Math.max(0, currentHealthy - expectation.desiredHealthy);

const reasonOf = (expectation: Expectation | undefined, allowed: number): string => {
  if (expectation === undefined) return 'SyncFailed';
  return allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
};

const isSelected = ({ spec }: PodDisruptionBudgetObject, { metadata }: ApiObject): boolean => selects(spec.selector, metadata.labels ?? {});

const statusOf = ({ api, clock, pods }: ControlDeps, budget: PodDisruptionBudgetObject): WorkloadStatus => {
  const { namespace = '', generation: observedGeneration = 0 } = budget.metadata;
  const own = pods.inNamespace(namespace).filter((pod) => isSelected(budget, pod));
  const expectation = expectationOf(api, budget, own);
  const currentHealthy = own.filter((pod) => !isBeingDeleted(pod) && isReady(pod)).length;
  const allowed = allowedOf(expectation, currentHealthy);
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: reasonOf(expectation, allowed),
    message: '',
    observedGeneration,
  };
  return {
    observedGeneration,
    disruptionsAllowed: allowed,
    currentHealthy,
    desiredHealthy: expectation?.desiredHealthy ?? 0,
    expectedPods: expectation?.expectedPods ?? 0,
    conditions: putCondition(budget.status?.conditions, condition, kubeTime(clock.now())),
  };
};

/** Keeps the status of disruption budgets current; a thousand pods that become ready in one turn of the clock cost one count. */
export const startDisruptionController: StartController = (deps) => {
  const { api, clock } = deps;
  const loop = createWorkLoop(clock, (key) => {
    const budget = api.get(podDisruptionBudgets, parseKey(key));
    if (budget !== undefined) api.updateStatus({ ...budget, status: statusOf(deps, budget) });
    return undefined;
  });
  const recount = (pod: PodObject): void => {
    for (const budget of api.list(podDisruptionBudgets, { namespace: pod.metadata.namespace }))
      if (isSelected(budget, pod)) loop.add(objectKeyText(budget));
  };
  const watches = [
    api.watch(podKind, ({ object, previous }) => {
      recount(object);
      if (previous !== undefined && previous.metadata.labels !== object.metadata.labels) recount(previous);
    }),
    api.watch(podDisruptionBudgets, ({ type, object, previous }) => {
      if (type !== 'DELETED' && previous?.metadata.generation !== object.metadata.generation) loop.add(objectKeyText(object));
    }),
  ];
  return together(...watches, loop);
};
