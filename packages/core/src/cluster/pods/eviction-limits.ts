import { isActive, isConditionTrue, matchesLabelSelector } from '../../kube/index.ts';
import type { Pod, PodDisruptionBudget } from '../../kube/index.ts';

/**
 * What PodDisruptionBudgets allow, by the rules of the eviction API. A question costs the budgets of the pod's
 * namespace. Source: Kubernetes, `pkg/registry/core/pod/storage/eviction.go`. Differs: the original knows
 * `AlwaysAllow`, but not that a pod that is not ready goes while enough others are healthy, nor that a pending pod
 * always goes.
 */
export interface EvictionLimits {
  /** The budgets that select the pod, in order of names. */
  readonly budgetsOf: (pod: Pod) => readonly PodDisruptionBudget[];
  /**
   * The budget for which the eviction API refuses the pod now; undefined when it does not. Of several budgets on one
   * pod, the first.
   */
  readonly blockerOf: (pod: Pod) => PodDisruptionBudget | undefined;
  /**
   * Whether the eviction API refuses the pod until someone edits a budget: `maxUnavailable: 0`, `minAvailable: 100%`,
   * or two budgets on one pod.
   */
  readonly isNeverEvictable: (pod: Pod) => boolean;
}

const namespaceOf = (metadata: { readonly namespace?: string }): string => metadata.namespace ?? 'default';

const neverAllows = ({ spec: { maxUnavailable, minAvailable } }: PodDisruptionBudget): boolean =>
  maxUnavailable === 0 || maxUnavailable === '0' || maxUnavailable === '0%' || minAvailable === '100%';

/**
 * Whether the eviction API evicts the pod without a look at its budgets: it has not started, has ended, or is being
 * deleted.
 */
const ignoresBudgets = (pod: Pod): boolean => pod.status?.phase === 'Pending' || !isActive(pod);

/** Whether a pod that is not ready may go although the budget has no room: always, or while enough others are healthy. */
const mayGoUnhealthy = ({ spec, status }: PodDisruptionBudget, pod: Pod): boolean => {
  if (isConditionTrue(pod.status?.conditions, 'Ready')) return false;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
};

/** A budget without room, or one whose controller has not seen its latest spec. */
const isExhausted = ({ metadata: { generation = 0 }, status }: PodDisruptionBudget): boolean =>
  (status?.disruptionsAllowed ?? 0) <= 0 || (status?.observedGeneration ?? generation) < generation;

/** Makes the budgets ready for questions; costs a sort of them. */
export const evictionLimits = (budgets: readonly PodDisruptionBudget[]): EvictionLimits => {
  const byNamespace = new Map<string, PodDisruptionBudget[]>();
  for (const budget of [...budgets].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    const namespace = namespaceOf(budget.metadata);
    const known = byNamespace.get(namespace);
    if (known === undefined) byNamespace.set(namespace, [budget]);
    else known.push(budget);
  }
  const budgetsOf = (pod: Pod): readonly PodDisruptionBudget[] =>
    (byNamespace.get(namespaceOf(pod.metadata)) ?? []).filter(({ spec }) => matchesLabelSelector(spec.selector, pod.metadata.labels));
  const refusedBy = (pod: Pod, refuses: (budget: PodDisruptionBudget) => boolean): PodDisruptionBudget | undefined => {
    if (ignoresBudgets(pod)) return undefined;
    const [first, ...others] = budgetsOf(pod);
    if (first === undefined || others.length > 0) return first;
    return refuses(first) && !mayGoUnhealthy(first, pod) ? first : undefined;
  };
  return {
    budgetsOf,
    blockerOf: (pod) => refusedBy(pod, isExhausted),
    isNeverEvictable: (pod) => refusedBy(pod, neverAllows) !== undefined,
  };
};
