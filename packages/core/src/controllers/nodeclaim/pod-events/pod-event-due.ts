import { epochMsOf } from '../../../base/index.ts';

const DEDUPE_MS = 10_000;

/** What to do about the last pod event of a node: nothing, write it down, or wait so as not to write too often. */
export type PodEventDue = { readonly kind: 'nothing' } | { readonly kind: 'write' } | { readonly kind: 'later'; readonly inMs: number };

/** `written` is the claim's `lastPodEventTime`, in whole seconds; `seenMs` what this process saw. */
export const podEventDue = (written: string | undefined, seenMs: number | undefined, nowMs: number): PodEventDue => {
  const writtenMs = epochMsOf(written);
  if (seenMs === undefined || (writtenMs !== undefined && Math.floor(seenMs / 1000) * 1000 <= writtenMs)) return { kind: 'nothing' };
  if (writtenMs === undefined || nowMs >= writtenMs + DEDUPE_MS) return { kind: 'write' };
  return { kind: 'later', inMs: writtenMs + DEDUPE_MS - nowMs };
};
