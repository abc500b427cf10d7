import { annotations } from '../apis/index.ts';
import { durationMs, epochMsOf } from '../base/index.ts';
import type { Pod } from '../kube/index.ts';

/** Until when a pod that asks to be left alone for a time wants that; undefined where it names no time, or has not started. */
export const leftAloneUntilMs = (pod: Pod): number | undefined => {
  const lastsMs = durationMs(pod.metadata.annotations?.[annotations.doNotDisrupt] ?? '');
  const startedMs = epochMsOf(pod.status?.startTime);
  return lastsMs === undefined || startedMs === undefined ? undefined : startedMs + lastsMs;
};

/** What a pod says about being left alone, where that is more than yes or no. */
export type LeaveAloneWish =
  /** Neither `true` nor a positive duration: ignored. */
  | { readonly kind: 'invalid'; readonly value: string }
  | { readonly kind: 'lasting'; readonly untilMs: number }
  /** The time that it asked for has passed. */
  | { readonly kind: 'over' };

/** What people who look at the pod should know of its wish; undefined where it has none, asks for ever, or has not started. */
export const leaveAloneWishOf = (pod: Pod, nowMs: number): LeaveAloneWish | undefined => {
  const value = pod.metadata.annotations?.[annotations.doNotDisrupt];
  if (value === undefined || value === 'true') return undefined;
  if ((durationMs(value) ?? 0) <= 0) return { kind: 'invalid', value };
  const untilMs = leftAloneUntilMs(pod);
  if (untilMs === undefined) return undefined;
  return nowMs < untilMs ? { kind: 'lasting', untilMs } : { kind: 'over' };
};

/**
 * Whether the pod asks to be left alone: `true`, or a positive duration that has not passed since its start. Not started, or `nowMs` not
 * given: it still lasts. A value that is neither is ignored.
 * Source: the original's `pkg/utils/pod/scheduling.go`, `HasDoNotDisrupt`.
 */
export const isLeftAlone = (pod: Pod, nowMs?: number): boolean => {
  const wish = pod.metadata.annotations?.[annotations.doNotDisrupt];
  if (wish === undefined) return false;
  if (wish === 'true') return true;
  const lastsMs = durationMs(wish);
  if (lastsMs === undefined || lastsMs <= 0) return false;
  const startedMs = epochMsOf(pod.status?.startTime);
  return nowMs === undefined || startedMs === undefined || nowMs < startedMs + lastsMs;
};
