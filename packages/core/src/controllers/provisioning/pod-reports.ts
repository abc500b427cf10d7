import type { RecordedEvent } from '@karpenter/runtime';
import type { Steps } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import { explainRelaxed } from '../../scheduling/index.ts';
import type { Plan, PoolRejection, Rejection, RelaxedPods } from '../../scheduling/index.ts';
import { podId } from '../../state/index.ts';
import { aboutPod } from '../observability/events/event-subjects.ts';
import type { Decisions, Shell } from '../shell.ts';

const FAILED_DEDUPE_MS = 5 * 60_000;

/** A limit is another one once somebody has edited it. */
const poolNoticeKey = ({ nodePoolName, reason }: PoolRejection): string =>
  `${nodePoolName}: ${reason.kind === 'limit' ? `limit ${reason.resource} ${reason.limit}` : reason.kind}`;

/**
 * What makes a rejection new: the sort of reason that each pool has, without the numbers in it that change from plan to
 * plan. Differs: the original goes by the pod alone, so that what it says first (no pool is ready) hides for minutes
 * what is true later.
 */
const noticeKey = ({ reason }: Rejection): string => (reason.kind === 'no-place' ? reason.pools.map(poolNoticeKey).join() : reason.kind);

/** What makes relaxed preferences new: which they are, without counts and costs. */
const relaxedNoticeKey = ({ relaxed }: RelaxedPods): string => relaxed.map(({ kind, index }) => `${kind} ${index}`).join();

/** The text about a pod, or the other one where it cannot be made: that costs no other pod its event. */
const textOf = (
  { reporter }: Pick<Shell, 'reporter'>,
  pod: Pod,
  { make, otherwise }: { readonly make: () => string; readonly otherwise: string },
): string => {
  try {
    return make();
  } catch (error) {
    reporter.report({ kind: 'report-failed', about: podId(pod), error });
    return `${otherwise}; a bug in Karpenter keeps it from saying why, its log has the error`;
  }
};

/** Explains rejections, each apart from the others. */
export const explainingApart =
  (shell: Pick<Shell, 'reporter'>, explain: Decisions['explain']): Decisions['explain'] =>
  (rejection) =>
    textOf(shell, rejection.pod, { make: () => explain(rejection), otherwise: 'Pod fits nowhere' });

/** As fast as the original writes them: a thousand pods of a Deployment need no thousand events. */
const NOMINATION_RATE = { perSecond: 5, burst: 10 };

const nominated = (pod: Pod, message: string): RecordedEvent => ({
  ...{ subject: aboutPod(pod), type: 'Normal', reason: 'Nominated', message },
  reasonRate: NOMINATION_RATE,
});

/**
 * Records an event on each pod: its node, or why it is rejected. The oldest of equal pods also gets their relaxed
 * preferences.
 */
export function* reportingPods(
  { events, reporter }: Pick<Shell, 'events' | 'reporter'>,
  { plan, explain }: { plan: Plan; explain: Decisions['explain'] },
): Steps<void> {
  for (const [nodeName, pods] of plan.placements) {
    const message = `Pod should schedule on: node/${nodeName}`;
    for (const pod of pods) events.record(nominated(pod, message));
    yield;
  }
  for (const { nodePoolName, pods, cheapest } of plan.plannedNodes) {
    const message = `Pod should schedule on a new node of nodepool/${nodePoolName}, likely ${cheapest.instanceType.name} in ${cheapest.offering.zone}`;
    for (const pod of pods) events.record(nominated(pod, message));
    yield;
  }
  for (const group of plan.relaxed ?? []) {
    const make = (): string => explainRelaxed(group);
    const message = textOf({ reporter }, group.pod, { make, otherwise: 'Preferences of the pod were relaxed' });
    events.record({
      subject: aboutPod(group.pod),
      type: 'Normal',
      reason: 'PreferencesRelaxed',
      message,
      dedupeBy: [podId(group.pod), relaxedNoticeKey(group)],
      dedupeForMs: FAILED_DEDUPE_MS,
    });
    yield;
  }
  const explainRejection = explainingApart({ reporter }, explain);
  for (const rejection of plan.rejections) {
    // Such a pod does not expect anything of Karpenter.
    if (rejection.reason.kind === 'opted-out') continue;
    events.record({
      subject: aboutPod(rejection.pod),
      type: 'Warning',
      reason: 'FailedScheduling',
      message: explainRejection(rejection),
      dedupeBy: [podId(rejection.pod), noticeKey(rejection)],
      dedupeForMs: FAILED_DEDUPE_MS,
    });
    yield;
  }
}
