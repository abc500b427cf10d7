import type { PipelinePolicy, PipelineResponse } from '@azure/core-rest-pipeline';
import { type Clock, backoffMs, parseRetryAfter } from '@karpenter/runtime';
import { isAboutSingleMachines } from '../error-codes/machine-refusals.ts';

const MOST_TRIES = 4;
/** A longer pause is the caller's to take: a claim waits in a queue, not in a call. */
const LONGEST_WAIT_MS = 30_000;
const DELAYS = { baseMs: 500, maxMs: LONGEST_WAIT_MS };
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

const waitAfter = (response: PipelineResponse, attempt: number, nowMs: number): number | undefined => {
  if (!RETRIED.has(response.status) || isAboutSingleMachines(response.bodyAsText)) return undefined;
  const wait = parseRetryAfter(response.headers.get('retry-after'), nowMs) ?? backoffMs(attempt + 1, DELAYS);
  return wait > LONGEST_WAIT_MS ? undefined : wait;
};

const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && error.name === 'RestError' && !('statusCode' in error && error.statusCode);

/**
 * Tries again what may be better the next time, up to three times. Every call that is made here may be repeated: PUT
 * and DELETE name what they make and take. In place of the SDK's own policy, which waits as long as any Retry-After
 * says.
 */
export const retryPolicy = (clock: Clock): PipelinePolicy => ({
  name: 'karpenterRetryPolicy',
  async sendRequest(request, next) {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt + 1 >= MOST_TRIES;
      let waitMs: number | undefined;
      try {
        const response = await next(request);
        waitMs = isLast ? undefined : waitAfter(response, attempt, clock.now());
        if (waitMs === undefined) return response;
      } catch (error) {
        if (isLast || !isBrokenConnection(error)) throw error;
        waitMs = backoffMs(attempt + 1, DELAYS);
      }
      await clock.sleep(waitMs, request.abortSignal as AbortSignal | undefined);
    }
  },
});
