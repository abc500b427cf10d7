import { annotations } from '../../apis/index.ts';
import { durationMs, epochMsOf } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';

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
