import { describe, expect, test } from '@jest/globals';
import {
  createEmptyPipeline,
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineRequest,
} from '@azure/core-rest-pipeline';
import { fakeClock } from '@karpenter/runtime';
import { armClients } from '../arm-clients.ts';
import { armCircuits, circuitPolicy } from './circuit-policy.ts';
import { retryPolicy } from './retry-policy.ts';
import { timeoutPolicy } from './timeout-policy.ts';

const URL_OF_VM = 'https://arm.example/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm?api-version=1';
const { signal } = new AbortController();

/** Never answers, and counts what is sent. */
const silence = () => {
  const sent: PipelineRequest[] = [];
  const http: HttpClient = { sendRequest: (request) => new Promise(() => void sent.push(request)) };
  return { sent, http };
};

const pipelineOf = (circuits = armCircuits(fakeClock())) => {
  const pipeline = createEmptyPipeline();
  pipeline.addPolicy(retryPolicy(fakeClock()), { phase: 'Retry' });
  pipeline.addPolicy(circuitPolicy(circuits), { afterPhase: 'Retry' });
  pipeline.addPolicy(timeoutPolicy(10), { afterPhase: 'Sign' });
  return pipeline;
};

describe('a call to Azure that has no answer', () => {
  test('fails with the name of the operation and the time, and is not retried', async () => {
    const { sent, http } = silence();
    const request = createPipelineRequest({ url: URL_OF_VM, abortSignal: signal });
    await expect(pipelineOf().sendRequest(http, request)).rejects.toMatchObject({
      name: 'ArmError',
      code: 'network',
      message: 'GET virtualMachines/vm of arm.example has had no answer for 0.01 s',
    });
    expect(sent).toHaveLength(1);
    expect(request.abortSignal).toBe(signal);
  });

  test('counts as a failure of Azure: its circuit opens', async () => {
    const circuits = armCircuits(fakeClock());
    const pipeline = pipelineOf(circuits);
    for (let i = 0; i < 10; i++)
      await pipeline.sendRequest(silence().http, createPipelineRequest({ url: URL_OF_VM })).catch(() => undefined);
    expect([...circuits.states()]).toEqual([['reads of Microsoft.Compute', 'open']]);
  });

  test('does not change one that is answered', async () => {
    const request = createPipelineRequest({ url: URL_OF_VM });
    const http: HttpClient = { sendRequest: () => Promise.resolve({ request, status: 204, headers: createHttpHeaders() }) };
    expect(await pipelineOf().sendRequest(http, request)).toMatchObject({ status: 204 });
  });

  test('is about the exchange alone: in every client, nothing stands between the policy and the network', () => {
    const { compute, network, graph } = armClients({
      environment: { resourceManagerEndpoint: 'https://arm.example', tokenAudience: 'https://arm.example' } as never,
      subscriptionId: 's',
      credential: { getToken: () => Promise.resolve(null) },
      clock: fakeClock(),
    });
    for (const { pipeline } of [compute, network, graph])
      expect(
        pipeline
          .getOrderedPolicies()
          .map(({ name }) => name)
          .at(-1),
      ).toBe('karpenterTimeoutPolicy');
  });
});
