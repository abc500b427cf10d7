import { annotations, disruptedTaint } from '../../apis/index.ts';
import { durationMs, epochMsOf } from '../../base/index.ts';
import { isActive, isConditionTrue, isMirror, isReschedulable, labelSelectorMatcher, tolerates } from '../../kube/index.ts';
import type { Pod, PodDisruptionBudget } from '../../kube/index.ts';
import type { NodeView } from '../node-view.ts';

/** When the `do-not-disrupt` of a pod ends (epoch ms); undefined where it states no duration, or the pod has not started. */
export const doNotDisruptUntilMs = (pod: Pod): number | undefined => {
  const lastsMs = durationMs(pod.metadata.annotations?.[annotations.doNotDisrupt] ?? '');
  const startedMs = epochMsOf(pod.status?.startTime);
  return lastsMs === undefined || startedMs === undefined ? undefined : startedMs + lastsMs;
};

/** The state of a `do-not-disrupt` annotation that is more than a plain `true`. */
export type DoNotDisruptStatus =
  /** Neither `true` nor a positive duration: ignored. */
  | { readonly kind: 'invalid'; readonly value: string }
  | { readonly kind: 'lasting'; readonly untilMs: number }
  /** The duration has passed. */
  | { readonly kind: 'over' };

/**
 * What people should know of the pod's `do-not-disrupt`; undefined where it has none, it is `true`, or the pod has not
 * started.
 */
export const doNotDisruptStatusOf = (pod: Pod, nowMs: number): DoNotDisruptStatus | undefined => {
  const value = pod.metadata.annotations?.[annotations.doNotDisrupt];
  if (value === undefined || value === 'true') return undefined;
  if ((durationMs(value) ?? 0) <= 0) return { kind: 'invalid', value };
  const untilMs = doNotDisruptUntilMs(pod);
  if (untilMs === undefined) return undefined;
  return nowMs < untilMs ? { kind: 'lasting', untilMs } : { kind: 'over' };
};

/**
 * Whether `do-not-disrupt` protects the pod: `true`, or a positive duration since its start that has not passed. It
 * lasts while the pod has not started, and where `nowMs` is not given. Any other value is ignored. Source: the
 * original's `pkg/utils/pod/scheduling.go`, `HasDoNotDisrupt`.
 */
export const isDoNotDisrupt = (pod: Pod, nowMs?: number): boolean => {
  const value = pod.metadata.annotations?.[annotations.doNotDisrupt];
  if (value === undefined) return false;
  if (value === 'true') return true;
  const lastsMs = durationMs(value);
  if (lastsMs === undefined || lastsMs <= 0) return false;
  const startedMs = epochMsOf(pod.status?.startTime);
  return nowMs === undefined || startedMs === undefined || nowMs < startedMs + lastsMs;
};

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

/** A budget, and whether it selects a pod with these labels. */
interface SelectingBudget {
  readonly budget: PodDisruptionBudget;
  readonly selects: ReturnType<typeof labelSelectorMatcher>;
}

/** Makes the budgets ready for questions; costs a sort of them. */
export const evictionLimits = (budgets: readonly PodDisruptionBudget[]): EvictionLimits => {
  const byNamespace = new Map<string, SelectingBudget[]>();
  for (const budget of [...budgets].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
    const namespace = namespaceOf(budget.metadata);
    const known = byNamespace.get(namespace);
    const selecting = { budget, selects: labelSelectorMatcher(budget.spec.selector) };
    if (known === undefined) byNamespace.set(namespace, [selecting]);
    else known.push(selecting);
  }
  const budgetsOf = ({ metadata }: Pod): readonly PodDisruptionBudget[] =>
    (byNamespace.get(namespaceOf(metadata)) ?? []).filter(({ selects }) => selects(metadata.labels)).map(({ budget }) => budget);
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

/** Whether a drain evicts the pod. Mirror pods and pods that tolerate the disruption taint stay to the end. */
export const isEvictedByDrain = (pod: Pod): boolean => !isMirror(pod) && !tolerates([disruptedTaint], pod.spec.tolerations);

/**
 * The pods of a node that will need a new place when it goes: not those of DaemonSets, not mirror pods, and not those
 * that cannot be evicted now (`do-not-disrupt`, or PodDisruptionBudgets that never allow it). Source: the original's
 * `IsReschedulable` and `CurrentlyReschedulablePods`.
 */
export const reschedulablePods = (node: NodeView, limits: EvictionLimits, nowMs?: number): readonly Pod[] =>
  node.pods.filter(
    (pod) => isReschedulable(pod) && !isDoNotDisrupt(pod, nowMs) && !(isEvictedByDrain(pod) && limits.isNeverEvictable(pod)),
  );
