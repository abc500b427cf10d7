import { epochMsOf } from '../base/index.ts';
import type { Interruption } from '../cloudprovider/index.ts';
import type { Condition, Node } from '../kube/index.ts';

/** What a condition says of a machine's end. */
export interface AnnouncedEnd {
  /** CamelCase: `Preempt`. */
  readonly reason: string;
  /** In milliseconds of Unix time. Left out: the least notice that the cloud gives, from when the condition became true. */
  readonly deadlineMs?: number;
}

export interface EndReading {
  /** Reason → the least notice that the cloud gives, in milliseconds. Other reasons end no machine. */
  readonly noticeMs: Readonly<Record<string, number>>;
  /** The announcements of a condition that is true. Pure. */
  readonly read: (condition: Condition) => readonly AnnouncedEnd[];
}

/**
 * `CloudProvider.interruptionOf` of a cloud that announces ends in the conditions of its nodes; of several the first to
 * come.
 */
export const interruptionInConditions =
  ({ noticeMs, read }: EndReading) =>
  ({ status }: Node): Interruption | undefined =>
    (status?.conditions ?? [])
      .filter((condition) => condition.status === 'True')
      .flatMap((condition) =>
        read(condition).flatMap(({ reason, deadlineMs }) => {
          const notice = noticeMs[reason];
          const sinceMs = epochMsOf(condition.lastTransitionTime) ?? 0;
          return notice === undefined ? [] : [{ reason, deadlineMs: deadlineMs ?? sinceMs + notice }];
        }),
      )
      .sort((a, b) => a.deadlineMs - b.deadlineMs)[0];
