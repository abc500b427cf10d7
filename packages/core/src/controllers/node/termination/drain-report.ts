import { compareText, epochMsOf, timestampOf } from '../../../base/index.ts';
import { doNotDisruptUntilMs, isDoNotDisrupt } from '../../../cluster/index.ts';
import { isTerminating, namespacedNameOf } from '../../../kube/index.ts';
import type { Pod } from '../../../kube/index.ts';
import type { Decision } from '../../../ports/index.ts';
import { podId } from '../../../state/index.ts';
import { isOverdue } from './drain-step.ts';
import type { DrainStep } from './drain-step.ts';

type Hold = Extract<Decision, { readonly kind: 'drain-waiting' }>['holds'][number];

/** What a drain waits for, in words. */
export interface DrainReport {
  readonly message: string;
  /** The pods that the message names, sorted. */
  readonly pods: readonly string[];
  /** What keeps pods on the node, each once and sorted. Empty: they leave in time. */
  readonly holds: readonly Hold[];
}

/** What is known of a drain besides its pods. */
export interface DrainFacts {
  readonly nowMs: number;
  /** When the node was deleted. */
  readonly sinceMs: number;
  /** How the eviction API refused a pod last; undefined when it did not. */
  readonly refusalOf: (pod: Pod) => string | undefined;
}

/** As the original says it while pods leave in time. */
const DRAINING: DrainReport = { message: 'Draining', pods: [], holds: [] };

/** A drain in which nothing is refused is expected to be over by then. */
const LONG_MS = 2 * 60_000;
/** A pod that is still there so long after its grace period is held by a finalizer, or its kubelet does not answer. */
const LATE_MS = 10_000;
/** A message has room for so many pods; the others are counted. */
const NAMED = 5;

/** What keeps a pod on the node until someone acts, or its time is up; undefined for a pod that leaves by itself. */
const holdOf = (pod: Pod, { nowMs, refusalOf }: DrainFacts): { readonly hold: Hold; readonly why: string } | undefined => {
  if (isTerminating(pod)) return undefined;
  if (!isDoNotDisrupt(pod, nowMs)) {
    const why = refusalOf(pod);
    return why === undefined ? undefined : { hold: 'refused', why };
  }
  const untilMs = doNotDisruptUntilMs(pod);
  const until = untilMs === undefined ? '' : ` until ${timestampOf(untilMs)}`;
  return { hold: 'do-not-disrupt', why: `annotation karpenter.sh/do-not-disrupt${until}` };
};

const delayOf = (pod: Pod, isLater: boolean): string => {
  if (isLater) return 'waits for pods of a lower priority group to leave';
  const dueMs = epochMsOf(pod.metadata.deletionTimestamp);
  return dueMs === undefined ? 'its eviction is not answered yet' : `terminating, due at ${timestampOf(dueMs)}`;
};

const reportOf = (waiting: readonly { readonly name: string; readonly why: string }[]): Omit<DrainReport, 'holds'> => {
  const sorted = [...waiting].sort((a, b) => compareText(a.name, b.name));
  const named = sorted.slice(0, NAMED);
  const more = sorted.length - named.length;
  const texts = [...named.map(({ name, why }) => `${name} (${why})`), ...(more === 0 ? [] : [`and ${more} more`])];
  return { message: `Waiting for pods: ${texts.join(', ')}`, pods: named.map(({ name }) => name) };
};

/**
 * Names the pods that hold a drain up, each with the reason; those that are only slow once one of them has outlasted its
 * grace period, or the drain has lasted for two minutes. Pods of later groups are not named beside a pod that is held.
 */
export const drainReport = ({ waitingFor, evict, force }: DrainStep, facts: DrainFacts): DrainReport => {
  const { nowMs, sinceMs } = facts;
  const forced = new Set(force.map(({ pod }) => podId(pod)));
  const waiting = waitingFor.filter((pod) => !forced.has(podId(pod))).map((pod) => ({ pod, held: holdOf(pod, facts) }));
  const isHeld = waiting.some(({ held }) => held !== undefined);
  const isSlow = nowMs >= sinceMs + LONG_MS || waiting.some(({ pod }) => isOverdue(pod, LATE_MS, nowMs));
  const named = waiting.flatMap(({ pod, held }) => {
    if (held !== undefined) return { pod, ...held };
    const isLater = !isTerminating(pod) && !evict.includes(pod);
    return isSlow && !(isHeld && isLater) ? { pod, hold: 'slow' as const, why: delayOf(pod, isLater) } : [];
  });
  if (named.length === 0) return DRAINING;
  const holds = [...new Set(named.map(({ hold }) => hold))].sort();
  return { ...reportOf(named.map(({ pod, why }) => ({ name: namespacedNameOf(pod.metadata), why }))), holds };
};
