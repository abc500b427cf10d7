import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { type Clock, parseRetryAfter } from '@karpenter/core/controllers';
import { tokenBucket } from './token-bucket.ts';

type OperationClass = 'reads' | 'writes' | 'deletes';

/** ARM's buckets for one principal of one subscription. */
const SIZES = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
} as const;

/** Queries of Resource Graph are POSTs and read. */
const classOf = (method: string): OperationClass =>
  method === 'PUT' || method === 'PATCH' ? 'writes' : method === 'DELETE' ? 'deletes' : 'reads';

/**
 * Keeps to what ARM grants: one token bucket per class of calls, told by the answers how much is left and when to pause. All clients of one
 * subscription share one policy.
 */
export const throttlePolicy = (clock: Clock): PipelinePolicy => {
  const buckets = {
    reads: tokenBucket(SIZES.reads, clock),
    writes: tokenBucket(SIZES.writes, clock),
    deletes: tokenBucket(SIZES.deletes, clock),
  };
  return {
    name: 'karpenterThrottlePolicy',
    async sendRequest(request, next) {
      const operations = classOf(request.method);
      const bucket = buckets[operations];
      const waitMs = bucket.takeMs();
      if (waitMs > 0) await clock.sleep(waitMs, request.abortSignal as AbortSignal | undefined);
      const response = await next(request);
      const remaining = response.headers.get(`x-ms-ratelimit-remaining-subscription-${operations}`);
      if (remaining !== undefined && Number.isFinite(Number(remaining))) bucket.cap(Number(remaining));
      const pauseMs = response.status === 429 ? parseRetryAfter(response.headers.get('retry-after'), clock.now()) : undefined;
      if (pauseMs !== undefined) bucket.closeUntil(clock.now() + pauseMs);
      return response;
    },
  };
};
