import { isRestError, type PipelinePolicy, type PipelineRequest, type PipelineResponse, RestError } from '@azure/core-rest-pipeline';
import { CloudProviderError } from '@karpenter/core';
import { type CircuitBreaker, circuitBreaker } from '@karpenter/core/provider-kit';
import { ArmError } from '../arm-error.ts';
import { isAboutSingleMachines } from '../error-codes/machine-refusals.ts';
import { operationClassOf } from './operation-class.ts';

/** Ten failures are three calls with their retries. A minute is a fifth of the time that a claim has to launch. */
const BREAKING = { failures: 10, withinMs: 60_000, share: 0.5, openMs: 10_000, longestMs: 60_000 };

/** What may be down while the rest is well: `writes of Microsoft.Compute`. */
const circuitOf = ({ method, url }: PipelineRequest): string =>
  `${operationClassOf(method, url)} of ${/\/providers\/([^/?]+)/.exec(url)?.[1] ?? 'Azure'}`;

const isFailureOfAzure = (error: unknown): boolean => isRestError(error) || (error instanceof ArmError && error.code === 'network');

/**
 * The circuits of one subscription's calls. Azure fails where it is not reached or does not answer, and where it says
 * that it is not well.
 */
export const armCircuits = (clock: { now(): number }): CircuitBreaker =>
  circuitBreaker({ clock, ...BREAKING, judge: (error) => (isFailureOfAzure(error) ? 'failed' : 'silent') });

/** Throws an answer by which Azure says that it is not well. */
const well = (response: PipelineResponse): PipelineResponse => {
  const { status, request, bodyAsText } = response;
  if (status < 500 || isAboutSingleMachines(bodyAsText)) return response;
  throw new RestError(`Azure answered ${status}`, { statusCode: status, request, response });
};

/**
 * Refuses calls of a kind while Azure does not answer them, except one now and then: fails with `throttled` and the
 * time of the next try. Runs inside the retry policy, so that every retry counts. Runs outside the throttle: a call
 * that is not sent uses none of ARM's quota.
 */
export const circuitPolicy = (circuits: CircuitBreaker): PipelinePolicy => ({
  name: 'karpenterCircuitPolicy',
  async sendRequest(request, next) {
    try {
      return await circuits.call(circuitOf(request), async () => well(await next(request)));
    } catch (error) {
      if (isRestError(error) && error.response !== undefined) return error.response;
      if (!(error instanceof CloudProviderError)) throw error;
      const { message, retryAfterMs } = error;
      throw new ArmError(message, { code: 'throttled', armCode: 'CircuitOpen', retryAfterMs, cause: error });
    }
  },
});
