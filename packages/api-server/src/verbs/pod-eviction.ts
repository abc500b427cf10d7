import { kubeTime } from '@karpenter/runtime';
import type { LocalDeleteOptions } from '../public/local-api.ts';
import type { Engine } from '../engine/engine.ts';
import { asRecord, conditionIs, type JsonObject, numberAt, objectsAt, textAt, valueAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { matchesLabels, selectorRequirements } from '../selectors/label-selector.ts';
import { ApiError } from '../status/api-error.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { readObject } from './read.ts';
import { checkPreconditions, removeObject } from './remove.ts';

const BUDGETS = 'poddisruptionbudgets.policy';
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Which pod, and how it is deleted when its budget allows. */
export interface EvictionRequest {
  readonly pods: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly options: LocalDeleteOptions & { readonly dryRun?: boolean };
}

/** Evicts a pod. Throws an `ApiError` (`TooManyRequests`, cause `DisruptionBudget`) when a budget does not allow it now. */
export const createEviction = (engine: Engine, request: EvictionRequest): void => {
  const { pods, options } = request;
  const pod = readObject(engine, pods, request);
  if (!ignoresBudgets(pod)) {
    const budgets = budgetsOf(engine, pod);
    if (budgets.length > 1) {
      throw new ApiError(
        'InternalError',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    }
    for (const budget of budgets) spend(engine, budget, { pod, dryRun: options.dryRun === true });
  }
  const current = readObject(engine, pods, request);
  checkPreconditions(pods, current, options);
  if (options.dryRun !== true) mark(engine, current);
  // The mark is a write of its own. The requested version is the one before it, and a listener may have written too.
  const { uid } = options.preconditions ?? {};
  removeObject(engine, { resource: pods, object: readObject(engine, pods, request) }, { ...options, preconditions: { uid } });
};

const ignoresBudgets = (pod: StoredObject): boolean =>
  pod.metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(textAt(pod, 'status.phase'));

/** The budgets whose selector admits a pod. */
const budgetsOf = (engine: Engine, pod: StoredObject): readonly StoredObject[] =>
  engine.store
    .table(BUDGETS)
    .ordered(pod.metadata.namespace)
    .filter((budget) => {
      const requirements = selectorRequirements(valueAt(budget, 'spec.selector'));
      return requirements !== undefined && matchesLabels(requirements, pod.metadata.labels);
    });

const refuse = (message: string): ApiError =>
  new ApiError('TooManyRequests', REFUSAL, { causes: [{ reason: 'DisruptionBudget', message }], retryAfterSeconds: 10 });

/** Whether a pod that is not ready may go without asking the budget. */
const mayGoUnhealthy = (budget: StoredObject, pod: StoredObject): boolean => {
  if (conditionIs(pod, 'Ready')) return false;
  const [healthy, desired] = [numberAt(budget, 'status.currentHealthy'), numberAt(budget, 'status.desiredHealthy')];
  return textAt(budget, 'spec.unhealthyPodEvictionPolicy') === 'AlwaysAllow' || (healthy >= desired && desired > 0);
};

const spend = (engine: Engine, budget: StoredObject, { pod, dryRun }: { readonly pod: StoredObject; readonly dryRun: boolean }): void => {
  if (mayGoUnhealthy(budget, pod)) return;
  const { name, generation = 0 } = budget.metadata;
  if (numberAt(budget, 'status.observedGeneration') < generation)
    throw refuse(`The disruption budget ${name} is still being processed by the server.`);
  const allowed = numberAt(budget, 'status.disruptionsAllowed');
  if (allowed <= 0) {
    const [healthy, desired] = [numberAt(budget, 'status.currentHealthy'), numberAt(budget, 'status.desiredHealthy')];
    throw refuse(`The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`);
  }
  if (dryRun) return;
  const status = asRecord(budget['status']);
  const disruptedPods: JsonObject = { ...asRecord(status['disruptedPods']), [pod.metadata.name]: kubeTime(engine.nowMs) };
  engine.store.put(BUDGETS, { ...asJson(budget), status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods } });
};

const mark = (engine: Engine, pod: StoredObject): void => {
  if (conditionIs(pod, 'DisruptionTarget')) return;
  const others = objectsAt(pod, 'status.conditions').filter(({ type }) => type !== 'DisruptionTarget');
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: kubeTime(engine.nowMs),
  };
  engine.store.put('pods', { ...asJson(pod), status: { ...asRecord(pod['status']), conditions: [...others, condition] } });
};
