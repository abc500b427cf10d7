import { hash } from 'node:crypto';
import type { RecordedEvent } from './event-recorder.ts';

/**
 * An event that was seen, and where it was written. Numbers only: thousands are remembered, and texts would be most of
 * that.
 */
interface RecentEvent {
  /** What the name of the Event object has behind that of its subject. */
  readonly serial: number;
  /** How often it happened, the swallowed ones included. */
  readonly count: number;
  readonly writtenAtMs: number;
}

/** What is to be done with an event that happens: nothing, write it for the first time, or count it up. */
export type Recurrence =
  | { readonly kind: 'swallow' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'create' | 'bump'; readonly name: string; readonly count: number };

/** Remembers what happened lately. */
export interface RecentEvents {
  /**
   * Swallows what was written lately. `mayWrite` is called for anything else: if it returns false, the event is dropped
   * and not remembered, so that it is written when it happens again.
   */
  happened(event: RecordedEvent, nowMs: number, mayWrite?: () => boolean): Recurrence;
  /** How many are remembered. */
  readonly size: number;
}

const DEFAULT_DEDUPE_MS = 120_000;

/** The API server forgets an event an hour after it was last written: by then there is nothing left to count up. */
const REMEMBERED_MS = 3_600_000;
const MOST_REMEMBERED = 4096;

/** A digest, a character for each of its bytes: the text itself, message included, would be most of what is remembered. */
const identityOf = ({ subject, reason, message, type, dedupeBy }: RecordedEvent): string =>
  hash(
    'sha1',
    JSON.stringify([subject.kind, subject.namespace, subject.name, subject.uid, type, reason.toLowerCase(), ...(dedupeBy ?? [message])]),
    'binary',
  );

const dedupeMsOf = ({ dedupeForMs = DEFAULT_DEDUPE_MS }: RecordedEvent): number => dedupeForMs;

const nameOf = ({ subject }: RecordedEvent, serial: number): string => `${subject.name}.${serial.toString(16).padStart(12, '0')}`;

/**
 * Nothing happened yet. `newSerial` makes Event names unique: a whole number below 2^48. Forgets what was written an
 * hour ago, since most objects that events are about are gone by then. Of more than 4,096 it forgets the longest
 * unseen.
 */
export const recentEvents = (newSerial: () => number): RecentEvents => {
  const recent = new Map<string, RecentEvent>();

  const remember = (identity: string, event: RecentEvent): void => {
    recent.delete(identity);
    recent.set(identity, event);
  };

  const forgetOld = (nowMs: number): void => {
    for (const [identity, { writtenAtMs }] of recent) {
      if (recent.size <= MOST_REMEMBERED && nowMs - writtenAtMs < REMEMBERED_MS) return;
      recent.delete(identity);
    }
  };

  return {
    happened(event, nowMs, mayWrite) {
      forgetOld(nowMs);
      const identity = identityOf(event);
      const old = recent.get(identity);
      const count = (old?.count ?? 0) + 1;
      if (old !== undefined && nowMs - old.writtenAtMs < dedupeMsOf(event)) {
        remember(identity, { ...old, count });
        return { kind: 'swallow' };
      }
      if (mayWrite?.() === false) return { kind: 'drop' };
      const serial = old?.serial ?? newSerial();
      remember(identity, { serial, count, writtenAtMs: nowMs });
      return { kind: old === undefined ? 'create' : 'bump', name: nameOf(event, serial), count };
    },
    get size() {
      return recent.size;
    },
  };
};
