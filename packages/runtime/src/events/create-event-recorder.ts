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
   * Events beyond it are dropped; 10 a second, 100 at once when left out. Events on objects of one namespace may take
   * half of it. Those that find 1,000 waiting to be written are dropped, too.
   */
  readonly rate?: Rate;
}

/** The most that `randomInt` allows. */
const HIGHEST_SERIAL = 2 ** 48 - 1;

/** While the API server does not answer, events pile up; what is reported later than that helps nobody. */
const MOST_WAITING = 1_000;

/** Reasons or namespaces whose buckets are kept; beyond, all begin again. */
const MOST_BUCKETS = 1_000;

/** A bucket for each key, made when it is first used. */
const bucketByKey = (clock: Clock): ((key: string, most: Rate) => TokenBucket) => {
  const buckets = new Map<string, TokenBucket>();
  return (key, most) => {
    const bucket = buckets.get(key) ?? tokenBucket(clock, most);
    if (buckets.size >= MOST_BUCKETS) buckets.clear();
    buckets.set(key, bucket);
    return bucket;
  };
};

/** A write that is due. */
type Due = Exclude<Recurrence, { kind: 'swallow' | 'drop' }>;

/** Writes one event after the other, in the background. */
export const createEventRecorder = (options: EventRecorderOptions): EventRecorder => {
  const { client, clock, logger = silentLogger, rate = { perSecond: 10, burst: 100 } } = options;
  const recent = recentEvents(() => randomInt(HIGHEST_SERIAL));
  const bucket = tokenBucket(clock, rate);
  const ofReason = bucketByKey(clock);
  const ofNamespace = bucketByKey(clock);
  const share = { perSecond: rate.perSecond / 2, burst: Math.ceil(rate.burst / 2) };
  let written: Promise<void> = Promise.resolve();
  let waiting = 0;

  const write = async (event: RecordedEvent, { kind, name, count }: Due): Promise<void> => {
    const occurrence = { name, count, nowMs: clock.now() };
    if (kind === 'bump') {
      const key = { namespace: namespaceOfEvent(event), name };
      if ((await client.patch('Event', key, { type: 'merge', body: eventBump(event, occurrence) })) !== undefined) return;
    }
    await client.create('Event', eventBody(event, options, occurrence));
  };

  const writeOrDrop = async (event: RecordedEvent, recurrence: Due): Promise<void> => {
    waiting -= 1;
    try {
      await write(event, recurrence);
    } catch (error) {
      logger.warn('an event could not be written', { reason: event.reason, subject: event.subject, isFailure: isFailure(error), error });
    }
  };

  /** False if the event comes too soon after others: of its reason, of its namespace, or of any. */
  const mayWrite = ({ reason, reasonRate, subject: { namespace } }: RecordedEvent): boolean => {
    if (waiting >= MOST_WAITING) return false;
    if (reasonRate !== undefined && !ofReason(reason, reasonRate).tryTake()) return false;
    if (namespace !== undefined && !ofNamespace(namespace, share).tryTake()) return false;
    return bucket.tryTake();
  };

  return {
    record(event) {
      const recurrence = recent.happened(event, clock.now(), () => mayWrite(event));
      if (recurrence.kind === 'swallow') return;
      if (recurrence.kind === 'drop') {
        logger.debug('an event was dropped: too many', { reason: event.reason, subject: event.subject });
        return;
      }
      waiting += 1;
      written = written.then(() => writeOrDrop(event, recurrence));
    },
    flush: () => written,
  };
};
