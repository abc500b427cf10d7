import { compareText } from '@karpenter/core/internal';
import { type Clock, kubeTime, parseKey } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import type { NodeChoice } from '../choose-node.ts';
import type { EventWriter } from '../../control/event-writer.ts';
import { conditionIn, putCondition } from '../../objects/conditions.ts';
import { podKind, type PodObject } from '../../objects/pod.ts';

/** The message of `PodScheduled=False`, in the form that kube-scheduler gives it. */
export const unschedulableMessage = ({ nodeCount, refusals }: NodeChoice & { readonly kind: 'none' }): string => {
  if (nodeCount === 0) return 'no nodes available to schedule pods';
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodeCount} nodes are available: ${reasons.join(', ')}. preemption: not attempted, this scheduler never preempts.`;
};

/** Why a pod has no node. */
export interface PendingReason {
  readonly reason: 'Unschedulable' | 'SchedulingGated';
  readonly message: string;
}

/** Writes `PodScheduled=False` and the event beside it. What a pod was nominated for ends with the attempt that fails. */
export interface PendingReporter {
  /** True when the pod has the reason now; false when it got another a moment ago and needs a later report. */
  report(key: string, why: PendingReason): boolean;
  forget(key: string): void;
}

/** While nodes come up one by one the words change with each; a pod is not rewritten more often than this. */
const REWRITE_AFTER_MS = 10_000;

const endsNomination = (pod: PodObject, reason: PendingReason['reason']): boolean =>
  reason === 'Unschedulable' && pod.status?.nominatedNodeName !== undefined;

const withoutNomination = ({ status }: PodObject): PodObject['status'] => {
  const { nominatedNodeName: _, ...others } = status ?? {};
  return others;
};

const isReported = (pod: PodObject, { reason, message }: PendingReason): boolean => {
  const reported = conditionIn(pod.status?.conditions, 'PodScheduled');
  return reported?.status === 'False' && reported.reason === reason && reported.message === message && !endsNomination(pod, reason);
};

export const createPendingReporter = (api: LocalApi, clock: Clock, record: EventWriter): PendingReporter => {
  const writtenAtMs = new Map<string, number>();
  return {
    report: (key, why) => {
      const { reason, message } = why;
      const pod = api.get(podKind, parseKey(key));
      if (pod === undefined) return true;
      if (isReported(pod, why)) return true;
      const isEnd = endsNomination(pod, reason);
      if (!isEnd && clock.now() - (writtenAtMs.get(key) ?? -Infinity) < REWRITE_AFTER_MS) return false;
      writtenAtMs.set(key, clock.now());
      const condition = { type: 'PodScheduled', status: 'False', reason, message } as const;
      const conditions = putCondition(pod.status?.conditions, condition, kubeTime(clock.now()));
      api.updateStatus({ ...pod, status: { ...(isEnd ? withoutNomination(pod) : pod.status), phase: 'Pending', conditions } });
      if (reason === 'Unschedulable') record(pod, { type: 'Warning', reason: 'FailedScheduling', message });
      return true;
    },
    forget: (key) => void writtenAtMs.delete(key),
  };
};
