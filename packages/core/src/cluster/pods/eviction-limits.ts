import { isConditionTrue, matchesLabelSelector } from '../../kube/index.ts';
import type { Pod, PodDisruptionBudget } from '../../kube/index.ts';

/** What PodDisruptionBudgets allow. Budgets are looked up by namespace; a question costs the budgets of the pod's namespace. */
export interface EvictionLimits {
  /** The budgets that select the pod. */
  readonly budgetsOf: (pod: Pod) => readonly PodDisruptionBudget[];
  /**
   * The budget because of which the eviction API would refuse the pod now; undefined when it would not. More than one budget on a pod is
   * refused too, as Kubernetes does: the first by name is named.
   */
  readonly blockerOf: (pod: Pod) => PodDisruptionBudget | undefined;
  /** Whether some budget of the pod can never allow an eviction (`maxUnavailable: 0`, `minAvailable: 100%`). */
  readonly isNeverEvictable: (pod: Pod) => boolean;
}

const namespaceOf = (metadata: { readonly namespace?: string }): string => metadata.namespace ?? 'default';

const neverAllows = ({ spec: { maxUnavailable, minAvailable } }: PodDisruptionBudget): boolean =>
  maxUnavailable === 0 || maxUnavailable === '0' || maxUnavailable === '0%' || minAvailable === '100%';

const blocks = (budget: PodDisruptionBudget, pod: Pod): boolean => {
  if ((budget.status?.disruptionsAllowed ?? 0) > 0) return false;
  const mayGoUnhealthy = budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow';
  return !(mayGoUnhealthy && !isConditionTrue(pod.status?.conditions, 'Ready'));
};

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
  return {
    budgetsOf,
    blockerOf: (pod) => {
      const matching = budgetsOf(pod);
      return matching.length > 1 ? matching[0] : matching.find((budget) => blocks(budget, pod));
    },
    isNeverEvictable: (pod) => budgetsOf(pod).some(neverAllows),
  };
};
