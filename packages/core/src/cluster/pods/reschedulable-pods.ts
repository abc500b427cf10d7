import { annotations, disruptedTaint } from '../../apis/index.ts';
import { addToGroup, compareText, durationMs, epochMsOf, getOrMake } from '../../base/index.ts';
import {
  isActive,
  isConditionTrue,
  isLongRequirement,
  isMirror,
  isReschedulable,
  labelOf,
  labelSelectorMatcher,
  namespaceOf,
  tolerates,
} from '../../kube/index.ts';
import type { Steps } from '../../base/index.ts';
import type { Labels, Pod, PodDisruptionBudget } from '../../kube/index.ts';
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
 * What PodDisruptionBudgets allow, by the rules of the eviction API. A question costs those budgets of the pod's
 * namespace that require one of its labels, or no label alone. Source: Kubernetes,
 * `pkg/registry/core/pod/storage/eviction.go`. Differs: the original knows `AlwaysAllow`, but not two further rules. A
 * pod that is not ready goes while enough others are healthy. A pending pod always goes.
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

const neverAllows = ({ spec: { maxUnavailable, minAvailable } }: PodDisruptionBudget): boolean =>
  maxUnavailable === 0 || maxUnavailable === '0' || maxUnavailable === '0%' || minAvailable === '100%';

/**
 * Whether the eviction API evicts the pod without a check of its budgets: it has not started, has ended, or is being
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

/** The label and value that each pod of the budget has, as far as one value is required. */
const requiredLabelOf = ({ budget: { spec } }: SelectingBudget): readonly [key: string, value: string] | undefined => {
  const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
  const [label] = Object.entries(matchLabels);
  if (label !== undefined) return label;
  const single = matchExpressions.find(({ operator, values = [] }) => operator === 'In' && values.length === 1);
  const [value] = single?.values ?? [];
  return single === undefined || value === undefined ? undefined : [single.key, value];
};

const NO_BUDGETS: readonly SelectingBudget[] = [];

/** The budgets of a namespace, found by a label that their pods have: a namespace may have thousands. */
class NamespaceBudgets {
  readonly #byLabel = new Map<string, Map<string, SelectingBudget[]>>();
  /** Those that may select any pod. */
  readonly #others: SelectingBudget[] = [];

  add(budget: SelectingBudget): void {
    const label = requiredLabelOf(budget);
    if (label === undefined) {
      this.#others.push(budget);
      return;
    }
    const [key, value] = label;
    const ofKey = getOrMake(this.#byLabel, key, () => new Map<string, SelectingBudget[]>());
    addToGroup(ofKey, value, budget);
  }

  /** The budgets that select a pod with these labels, in order of names. */
  selecting(labels: Labels = {}): readonly PodDisruptionBudget[] {
    const found: PodDisruptionBudget[] = [];
    for (const budgets of this.#mayBeOf(labels)) for (const { budget, selects } of budgets) if (selects(labels)) found.push(budget);
    return found.length < 2 ? found : found.sort(byName);
  }

  *#mayBeOf(labels: Labels): Iterable<readonly SelectingBudget[]> {
    for (const [key, value] of Object.entries(labels)) yield this.#byLabel.get(key)?.get(value) ?? NO_BUDGETS;
    yield this.#others;
  }
}

const byName = (a: PodDisruptionBudget, b: PodDisruptionBudget): number => compareText(a.metadata.name, b.metadata.name);

const NONE: readonly PodDisruptionBudget[] = [];
const NO_VALUES: ReadonlySet<string> = new Set();

/** So many values are looked up without a pause: a few milliseconds. */
const VALUES_A_STEP = 16_384;

const valuesIn = ({ spec: { selector } }: PodDisruptionBudget): number =>
  (selector?.matchExpressions ?? []).reduce((sum, { values = [] }) => sum + values.length, 0);

/** Namespace → label → values. */
type NamespaceValues = ReadonlyMap<string, ReadonlyMap<string, Set<string>>>;

/** Without values: the labels for which budgets list many. */
const longListsOf = (budgets: readonly PodDisruptionBudget[]): NamespaceValues => {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const budget of budgets)
    for (const requirement of (budget.spec.selector?.matchExpressions ?? []).filter(isLongRequirement))
      getOrMake(found, namespaceOf(budget), () => new Map<string, Set<string>>()).set(requirement.key, new Set());
  return found;
};

/** The values that the pods of the nodes have of labels for which budgets of their namespaces list many. */
function* findingValues(budgets: readonly PodDisruptionBudget[], nodes: readonly NodeView[]): Steps<NamespaceValues> {
  const found = longListsOf(budgets);
  if (found.size === 0) return found;
  for (const { pods } of nodes) {
    for (const pod of pods)
      for (const [key, values] of found.get(namespaceOf(pod)) ?? []) {
        const value = labelOf(pod.metadata.labels, key);
        if (value !== undefined) values.add(value);
      }
    yield;
  }
  return found;
}

/**
 * Makes the budgets ready for questions about the pods of these nodes. Reads each budget and pod once, and keeps of long
 * lists what these pods have. Questions about other pods walk the lists each time.
 */
export function* readingBudgets(budgets: readonly PodDisruptionBudget[], nodes: readonly NodeView[]): Steps<EvictionLimits> {
  const expected = yield* findingValues(budgets, nodes);
  const byNamespace = new Map<string, NamespaceBudgets>();
  let values = 0;
  for (const budget of budgets) {
    const { selector } = budget.spec;
    const namespace = namespaceOf(budget);
    const known = getOrMake(byNamespace, namespace, () => new NamespaceBudgets());
    const selects = labelSelectorMatcher(selector, (key) => expected.get(namespace)?.get(key) ?? NO_VALUES);
    known.add({ budget, selects });
    values += 1 + valuesIn(budget);
    if (values < VALUES_A_STEP) continue;
    values = 0;
    yield;
  }
  const budgetsOf = (pod: Pod): readonly PodDisruptionBudget[] => byNamespace.get(namespaceOf(pod))?.selecting(pod.metadata.labels) ?? NONE;
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
}

/** Whether a drain evicts the pod. Mirror pods and pods that tolerate the disruption taint stay to the end. */
export const isEvictedByDrain = (pod: Pod): boolean => !isMirror(pod) && !tolerates([disruptedTaint], pod.spec.tolerations);

/**
 * The pods of a node that will need a new place when it goes: no DaemonSet pods and no mirror pods. Pods that cannot
 * be evicted now are left out (`do-not-disrupt`, or PodDisruptionBudgets that never allow it). Source: the original's
 * `IsReschedulable` and `CurrentlyReschedulablePods`.
 */
export const reschedulablePods = (node: NodeView, limits: EvictionLimits, nowMs?: number): readonly Pod[] =>
  node.pods.filter(
    (pod) => isReschedulable(pod) && !isDoNotDisrupt(pod, nowMs) && !(isEvictedByDrain(pod) && limits.isNeverEvictable(pod)),
  );
