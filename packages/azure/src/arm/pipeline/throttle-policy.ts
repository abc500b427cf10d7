import type { PipelinePolicy, PipelineResponse } from '@azure/core-rest-pipeline';
import { type Clock, parseRetryAfter } from '@karpenter/runtime';
import { ArmError } from '../arm-error.ts';
import {
  type BucketName,
  bucketNameOf,
  type OperationClass,
  operationBuckets,
  operationClassOf,
  RESERVED_CALLS,
} from './operation-class.ts';
import { remainingCalls } from './remaining-calls.ts';
import { isAboutBusyResource } from '../error-codes/busy-resource.ts';
import type { ArmTokenBucket } from './token-bucket.ts';

/** A pause that Azure asked for and that is longer is the caller's to take: a claim waits in a queue, not in a call. */
const LONGEST_PAUSE_MS = 30_000;
/** In our own queue a large scale-up may wait so long. */
const LONGEST_QUEUE_MS = 120_000;

interface Queue {
  readonly name: BucketName;
  readonly bucket: ArmTokenBucket;
  readonly operations: OperationClass;
}

/** Resolves when it is the call's turn; throws `throttled` when that is too far off. */
const turnOf = async (queue: Queue, clock: Clock, signal: AbortSignal | undefined): Promise<void> => {
  const { bucket, name } = queue;
  for (;;) {
    const waitMs = bucket.takeMs();
    if (waitMs === 0) return;
    if (bucket.closedMs() > LONGEST_PAUSE_MS || waitMs > LONGEST_QUEUE_MS) {
      bucket.putBack();
      const message = `Azure takes no more ${name} of this subscription for ${Math.ceil(waitMs / 1000)} s`;
      throw new ArmError(message, { code: 'throttled', retryAfterMs: waitMs, cause: undefined });
    }
    const closings = bucket.closings();
    await clock.sleep(waitMs, signal);
    if (bucket.closings() === closings) return;
  }
};

const learn = ({ bucket, operations }: Queue, response: PipelineResponse, nowMs: number): void => {
  const remaining = remainingCalls(response.headers, operations);
  if (remaining !== undefined) bucket.cap(remaining - RESERVED_CALLS);
  const isThrottled = response.status === 429 && !isAboutBusyResource(response.bodyAsText);
  const pauseMs = isThrottled ? parseRetryAfter(response.headers.get('retry-after'), nowMs) : undefined;
  if (pauseMs !== undefined) bucket.closeFor(pauseMs);
};

/**
 * Keeps calls within ARM's limits: one token bucket per class of calls and one for AKS. Responses say how much is left
 * and when to pause. A 429 about one busy resource pauses only its own call. All clients of one subscription share one
 * policy.
 */
export const throttlePolicy = (clock: Clock): PipelinePolicy => {
  const buckets = operationBuckets(clock);
  return {
    name: 'karpenterThrottlePolicy',
    async sendRequest(request, next) {
      const { method, url } = request;
      const name = bucketNameOf(method, url);
      const queue = { name, bucket: buckets[name], operations: operationClassOf(method, url) };
      await turnOf(queue, clock, request.abortSignal as AbortSignal | undefined);
      const response = await next(request);
      learn(queue, response, clock.now());
      return response;
    },
  };
};
