import type { RecordedEvent } from './event-recorder.ts';

/** An event that was seen, and where it was written. */
interface RecentEvent {
  /** The name of the Event object. */
  readonly name: string;
  /** How often it happened, the swallowed ones included. */
  readonly count: number;
  readonly writtenAtMs: number;
}

/** What is to be done with an event that happens: nothing, write it for the first time, or count it up. */
export type Recurrence = { readonly kind: 'swallow' } | { readonly kind: 'create' | 'bump'; readonly name: string; readonly count: number };

/** Remembers what happened lately. */
export interface RecentEvents {
  happened(event: RecordedEvent, nowMs: number): Recurrence;
}

const DEFAULT_DEDUPE_MS = 120_000;

/** The API server forgets events after an hour; a bump of one that is gone is written anew. */
const MOST_REMEMBERED = 4096;

const identityOf = ({ subject, reason, message, type, dedupeBy }: RecordedEvent): string =>
  JSON.stringify([subject.kind, subject.namespace, subject.name, subject.uid, type, reason.toLowerCase(), ...(dedupeBy ?? [message])]);

/** Nothing happened yet. `newSuffix` makes Event names unique. The longest unseen are forgotten first. */
export const recentEvents = (newSuffix: () => string): RecentEvents => {
  const recent = new Map<string, RecentEvent>();

  const remember = (identity: string, event: RecentEvent): void => {
    recent.delete(identity);
    recent.set(identity, event);
    const [oldest] = recent.keys();
    if (recent.size > MOST_REMEMBERED && oldest !== undefined) recent.delete(oldest);
  };

  return {
    happened(event, nowMs) {
      const identity = identityOf(event);
      const old = recent.get(identity);
      const count = (old?.count ?? 0) + 1;
      if (old !== undefined && nowMs - old.writtenAtMs < (event.dedupeForMs ?? DEFAULT_DEDUPE_MS)) {
        remember(identity, { ...old, count });
        return { kind: 'swallow' };
      }
      const name = old?.name ?? `${event.subject.name}.${newSuffix()}`;
      remember(identity, { name, count, writtenAtMs: nowMs });
      return { kind: old === undefined ? 'create' : 'bump', name, count };
    },
  };
};
