import type { PipelinePolicy, PipelineRequest } from '@azure/core-rest-pipeline';
import { answerInTime } from '../calls/answer-deadline.ts';

/** `GET virtualMachines/aks-general-x7k2p of management.azure.com`. */
const operationOf = ({ method, url }: PipelineRequest): string => {
  const { host, pathname } = new URL(url);
  return `${method} ${/\/providers\/[^/]+\/(.+)$/.exec(pathname)?.[1] ?? pathname} of ${host}`;
};

/**
 * Aborts a call that has no answer. Runs inside all other policies: it limits one exchange, not the wait for a turn. An
 * aborted call is not retried here: its caller retries, and others may wait for the same answer.
 */
export const timeoutPolicy = (patienceMs?: number): PipelinePolicy => ({
  name: 'karpenterTimeoutPolicy',
  async sendRequest(request, next) {
    const { abortSignal } = request;
    const ask = (signal: AbortSignal) => {
      request.abortSignal = signal;
      return next(request);
    };
    try {
      return await answerInTime(operationOf(request), ask, { signal: abortSignal as AbortSignal | undefined, patienceMs });
    } finally {
      if (abortSignal === undefined) delete request.abortSignal;
      else request.abortSignal = abortSignal;
    }
  },
});
