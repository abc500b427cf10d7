import { disruptedTaint } from '../../../apis/index.ts';
import { epochMsOf, lowestOf } from '../../../base/index.ts';
import { isDoNotDisrupt } from '../../../cluster/index.ts';
import { firstUntolerated, isDaemonPod, isMirror, isTerminal, isTerminating } from '../../../kube/index.ts';
import type { Pod } from '../../../kube/index.ts';

/** What to do next to empty a node. */
export interface DrainStep {
  /** Pods that must leave before the node can go, evicted now or not. Empty: the node is drained. */
  readonly waitingFor: readonly Pod[];
  /** Pods to evict now. */
  readonly evict: readonly Pod[];
  /** Pods to delete, ignoring budgets, because the node's time runs out. */
  readonly force: readonly { readonly pod: Pod; readonly graceSeconds: number }[];
}

/** The kubelet of a pod that is overdue by so long does not answer: it is not waited for. */
const STUCK_MS = 60_000;
const DEFAULT_GRACE_SECONDS = 30;
const CRITICAL = new Set(['system-cluster-critical', 'system-node-critical']);

const toleratesDisruption = (pod: Pod): boolean => firstUntolerated([disruptedTaint], pod.spec.tolerations) === undefined;

/** Terminating for more than `byMs` past its grace period. */
export const isOverdue = ({ metadata }: Pod, byMs: number, nowMs: number): boolean =>
  nowMs > (epochMsOf(metadata.deletionTimestamp) ?? Number.POSITIVE_INFINITY) + byMs;

/** Whether the node waits for the pod to leave. */
export const isDrainable = (pod: Pod, nowMs: number): boolean =>
  !toleratesDisruption(pod) && !isMirror(pod) && !isTerminal(pod) && !isOverdue(pod, STUCK_MS, nowMs);

/** 0 first: applications, then their daemons, then what is critical, then critical daemons. */
const groupOf = (pod: Pod): number => (CRITICAL.has(pod.spec.priorityClassName ?? '') ? 2 : 0) + (isDaemonPod(pod) ? 1 : 0);

const graceMsOf = (pod: Pod): number => (pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000;

/** The least grace that a forced deletion gives; a pod with no more than that left is not deleted again. */
const LEAST_GRACE_MS = 1000;

/** Whether the pod needs all the time that is left: its own grace period ends at or after the node's deadline. */
const isOutOfTime = (pod: Pod, { nowMs, deadlineMs }: DrainClock): boolean => {
  if (deadlineMs === undefined) return false;
  const dueMs = epochMsOf(pod.metadata.deletionTimestamp);
  return dueMs === undefined ? nowMs > deadlineMs - graceMsOf(pod) : dueMs > Math.max(deadlineMs, nowMs + LEAST_GRACE_MS);
};

export interface DrainClock {
  readonly nowMs: number;
  /** When the node must be gone; undefined: there is no deadline. */
  readonly deadlineMs?: number | undefined;
}

/**
 * Evicts one group at a time: the next follows only when the one before has left, or is forced because its time is
 * over. Pods with `do-not-disrupt` are waited for.
 * Source: the original's `pkg/controllers/node/termination/terminator/terminator.go`.
 */
export const drainStep = (pods: readonly Pod[], clock: DrainClock): DrainStep => {
  const { nowMs, deadlineMs } = clock;
  const waitingFor = pods.filter((pod) => isDrainable(pod, nowMs));
  const outOfTime = waitingFor.filter((pod) => isOutOfTime(pod, clock));
  const inTime = waitingFor.filter((pod) => !outOfTime.includes(pod));
  const first = lowestOf(inTime.map(groupOf));
  const evict = inTime.filter((pod) => groupOf(pod) === first && !isTerminating(pod) && !isDoNotDisrupt(pod, nowMs));
  const graceSeconds = Math.max(LEAST_GRACE_MS / 1000, Math.ceil(((deadlineMs ?? nowMs) - nowMs) / 1000));
  return { waitingFor, evict, force: outOfTime.map((pod) => ({ pod, graceSeconds })) };
};
