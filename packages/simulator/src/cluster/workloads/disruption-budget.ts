import type { LocalApi, OwnerReference } from '../../api/door/index.ts';
import type { StartController } from '../control/deps.ts';
import { together } from '../control/deps.ts';
import { createWorkLoop } from '../control/work-loop.ts';
import { isActive, isReady, keyOf, parseKey } from '../objects/pod-state.ts';
import type { Pod } from '../objects/pod.ts';
import { pods as podKind } from '../objects/pod.ts';
import type { DisruptionBudget, Workload } from '../objects/workload.ts';
import { disruptionBudgets } from '../objects/workload.ts';
import { selects } from '../selectors/label-selector.ts';
import { shareOf } from './share.ts';
import { writeStatus } from './write-status.ts';

const SCALABLE: Readonly<Record<string, string>> = { ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', ReplicationController: 'v1' };

const controllerOf = (pod: Pod | undefined): OwnerReference | undefined => pod?.metadata.ownerReferences?.find((owner) => owner.controller);

const replicasOf = (api: LocalApi, owner: OwnerReference | undefined, namespace: string | undefined): number | undefined => {
  const apiVersion = SCALABLE[owner?.kind ?? ''];
  if (owner === undefined || apiVersion === undefined) return undefined;
  return api.get<Workload>({ kind: owner.kind, apiVersion }, { name: owner.name, namespace })?.spec.replicas;
};

/** How many pods their controllers mean to have; pods without a controller of a known scale count as they are. */
const intendedCount = (api: LocalApi, members: readonly Pod[]): number => {
  const byController = Map.groupBy(members, (pod) => controllerOf(pod)?.uid);
  let total = 0;
  for (const group of byController.values()) {
    total += replicasOf(api, controllerOf(group[0]), group[0]?.metadata.namespace) ?? group.length;
  }
  return total;
};

/** How many there are meant to be, and how many of them must be healthy. */
const expectation = (
  api: LocalApi,
  { spec }: DisruptionBudget,
  members: readonly Pod[],
): { readonly expected: number; readonly desired: number } => {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expected = intendedCount(api, members);
    return { expected, desired: Math.max(expected - shareOf(maxUnavailable, expected, 'up'), 0) };
  }
  if (typeof minAvailable === 'string') {
    const expected = intendedCount(api, members);
    return { expected, desired: shareOf(minAvailable, expected, 'up') };
  }
  return { expected: members.length, desired: minAvailable ?? 1 };
};

/** Keeps the status of disruption budgets, by which evictions are allowed. */
export const startDisruptionBudgets: StartController = (deps) => {
  const { api, clock, pods } = deps;
  const loop = createWorkLoop(clock, (key) => {
    const budget = api.get(disruptionBudgets, parseKey(key));
    if (budget === undefined) return undefined;
    const members = pods
      .inNamespace(budget.metadata.namespace ?? '')
      .filter((pod) => selects(budget.spec.selector, pod.metadata.labels ?? {}));
    const current = members.filter((pod) => isActive(pod) && isReady(pod)).length;
    const { expected, desired } = expectation(api, budget, members.filter(isActive));
    writeStatus(api, budget, {
      observedGeneration: budget.metadata.generation ?? 0,
      ...{ currentHealthy: current, desiredHealthy: desired, expectedPods: expected },
      disruptionsAllowed: expected === 0 ? 0 : Math.max(current - desired, 0),
      disruptedPods: {},
    });
    return undefined;
  });
  const ofNamespace = new Map<string, Set<string>>();
  const budgetWatch = api.watch(disruptionBudgets, ({ type, object }) => {
    const namespace = object.metadata.namespace ?? '';
    const budgets = ofNamespace.get(namespace) ?? new Set<string>();
    ofNamespace.set(namespace, budgets);
    if (type === 'DELETED') budgets.delete(keyOf(object));
    else budgets.add(keyOf(object));
    loop.add(keyOf(object));
  });
  const podWatch = api.watch(podKind, ({ object }) => {
    for (const key of ofNamespace.get(object.metadata.namespace ?? '') ?? []) loop.add(key);
  });
  return together(budgetWatch, podWatch, loop);
};
