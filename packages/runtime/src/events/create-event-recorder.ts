import { randomInt } from 'node:crypto';
import type { KubeClient } from '../client/verbs/kube-client.ts';
import { type Rate, type TokenBucket, tokenBucket } from '../client/transport/token-bucket.ts';
import type { Clock } from '../clock/clock.ts';
import { isFailure } from '../failure/failures.ts';
import { type Logger, silentLogger } from '../log/logger.ts';
import { eventBody, eventBump, namespaceOfEvent, type Reporter } from './event-body.ts';
import type { EventRecorder, RecordedEvent } from './event-recorder.ts';
import { recentEvents, type Recurrence } from './recent-events.ts';

/** What a recorder needs. */
export interface EventRecorderOptions extends Reporter {
  /** Its table of kinds must hold `eventKind`. */
  readonly client: Pick<KubeClient, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly logger?: Logger;
  /**
   * Events beyond it are dropped; 10 a second, 100 at once when left out. So are those that find 1,000 waiting to be
   * written.
   */
  readonly rate?: Rate;
}

/** The most that `randomInt` allows. */
const HIGHEST_SERIAL = 2 ** 48 - 1;

/** While the API server does not answer, events pile up; what is reported later than that helps nobody. */
const MOST_WAITING = 1_000;

/** Writes one event after the other, in the background. */
export const createEventRecorder = (options: EventRecorderOptions): EventRecorder => {
  const { client, clock, logger = silentLogger, rate = { perSecond: 10, burst: 100 } } = options;
  const recent = recentEvents(() => randomInt(HIGHEST_SERIAL));
  const bucket = tokenBucket(clock, rate);
  const reasonBuckets = new Map<string, TokenBucket>();
  let written: Promise<void> = Promise.resolve();
  let waiting = 0;

  const write = async (event: RecordedEvent, { kind, name, count }: Exclude<Recurrence, { kind: 'swallow' }>): Promise<void> => {
    const occurrence = { name, count, nowMs: clock.now() };
    if (kind === 'bump') {
      const key = { namespace: namespaceOfEvent(event), name };
      if ((await client.patch('Event', key, { type: 'merge', body: eventBump(event, occurrence) })) !== undefined) return;
    }
    await client.create('Event', eventBody(event, options, occurrence));
  };

  const writeOrDrop = async (event: RecordedEvent, recurrence: Exclude<Recurrence, { kind: 'swallow' }>): Promise<void> => {
    waiting -= 1;
    try {
      await write(event, recurrence);
    } catch (error) {
      logger.warn('an event could not be written', { reason: event.reason, subject: event.subject, isFailure: isFailure(error), error });
    }
  };

  /** False if the event comes too soon after others: of its reason, or of any. */
  const mayWrite = ({ reason, reasonRate }: RecordedEvent): boolean => {
    if (waiting >= MOST_WAITING) return false;
    if (reasonRate === undefined) return bucket.tryTake();
    const reasonBucket = reasonBuckets.get(reason) ?? tokenBucket(clock, reasonRate);
    reasonBuckets.set(reason, reasonBucket);
    return reasonBucket.tryTake() && bucket.tryTake();
  };

  return {
    record(event) {
      const recurrence = recent.happened(event, clock.now());
      if (recurrence.kind === 'swallow') return;
      if (!mayWrite(event)) {
        logger.debug('an event was dropped: too many', { reason: event.reason, subject: event.subject });
        return;
      }
      waiting += 1;
      written = written.then(() => writeOrDrop(event, recurrence));
    },
    flush: () => written,
  };
};
