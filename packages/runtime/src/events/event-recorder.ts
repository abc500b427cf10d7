import type { Rate } from '../client/transport/token-bucket.ts';
import type { ObjectKey } from '../objects/object-key.ts';

/** The object that an event is about. */
export interface EventSubject extends ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly uid?: string;
}

/** Something a person who describes the object should know. */
export interface RecordedEvent {
  readonly subject: EventSubject;
  readonly type: 'Normal' | 'Warning';
  /** UpperCamelCase, at most 128 characters. */
  readonly reason: string;
  readonly message: string;
  /** Events of one reason that share these are one; the subject and the message when left out. */
  readonly dedupeBy?: readonly string[];
  /** How long an equal event is swallowed; 2 minutes when left out. */
  readonly dedupeForMs?: number;
  /** Events of this reason beyond it are dropped, so that they cannot crowd out others. The first one of a reason decides. */
  readonly reasonRate?: Rate;
}

/** Writes events in the background. Never blocks, never fails its caller: what cannot be written is dropped and logged. */
export interface EventRecorder {
  record(event: RecordedEvent): void;
  /** Resolves when everything recorded so far is written or dropped. */
  flush(): Promise<void>;
}
