import { describe, expect, test } from '@jest/globals';
import { createHttpHeaders, createPipelineRequest, type HttpMethods, type PipelineResponse, RestError } from '@azure/core-rest-pipeline';
import { ArmError } from '../arm-error.ts';
import { armCircuits, circuitPolicy } from './circuit-policy.ts';
import { cloudProviderErrorOf } from '../error-codes/cloud-provider-error-of.ts';

type Answer = Error | { readonly status: number; readonly bodyAsText?: string };

const VM = 'https://arm.example/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm';
const NIC = 'https://arm.example/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkInterfaces/nic';

/** Sends calls through one policy, to an Azure that gives `azure.answer` to all of them. */
const aCircuit = () => {
  const clock = { ms: 0, now: () => clock.ms };
  const azure: { answer: Answer; calls: number } = { answer: { status: 503 }, calls: 0 };
  const circuits = armCircuits(clock);
  const policy = circuitPolicy(circuits);
  const send = (method: HttpMethods = 'PUT', url = VM): Promise<PipelineResponse> => {
    const request = createPipelineRequest({ url, method });
    return policy.sendRequest(request, () => {
      azure.calls += 1;
      const { answer } = azure;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ request, headers: createHttpHeaders(), ...answer });
    });
  };
  const fail = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await send().catch(() => undefined);
  };
  return { clock, azure, circuits, send, fail };
};

const refused = { code: 'throttled', armCode: 'CircuitOpen' };

describe('the circuit of calls to Azure', () => {
  test('hands on answers and broken connections as they are', async () => {
    const { azure, send } = aCircuit();
    expect(await send()).toMatchObject({ status: 503 });
    azure.answer = new RestError('getaddrinfo ENOTFOUND');
    await expect(send()).rejects.toBe(azure.answer);
  });

  test.each<[string, Answer]>([
    ['says that it is not well', { status: 503 }],
    ['is not reached', new RestError('connect ECONNREFUSED')],
  ])('opens for the kind of call by which Azure %s, and for no other', async (_, answer) => {
    const { azure, circuits, send, fail } = aCircuit();
    azure.answer = answer;
    await fail(10);
    await expect(send()).rejects.toMatchObject({ ...refused, retryAfterMs: 10_000 });
    expect(azure.calls).toBe(10);
    azure.answer = { status: 200 };
    expect([await send('GET'), await send('PUT', NIC)]).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect([...circuits.states()].filter(([, state]) => state === 'open')).toEqual([['writes of Microsoft.Compute', 'open']]);
  });

  test('closes when Azure answers again, be it by a refusal', async () => {
    const { clock, azure, send, fail } = aCircuit();
    await fail(10);
    clock.ms = 10_000;
    azure.answer = { status: 409 };
    expect([await send(), await send()]).toMatchObject([{ status: 409 }, { status: 409 }]);
  });

  test.each<[string, Answer]>([
    ['throttles', { status: 429 }],
    ['refuses', { status: 400 }],
    ['refuses single machines of a batch', { status: 500, bodyAsText: '{"error":{"code":"BatchMachineInternalServerError"}}' }],
    ['did not get the call: it was aborted', Object.assign(new Error('aborted'), { name: 'AbortError' })],
    ['did not get the call: the throttle held it back', new ArmError('later', { code: 'throttled', cause: undefined })],
  ])('stays closed where Azure %s', async (_, answer) => {
    const { azure, send, fail } = aCircuit();
    azure.answer = answer;
    await fail(30);
    azure.answer = { status: 200 };
    expect(await send()).toMatchObject({ status: 200 });
  });

  test('reports to core which calls the open circuit refuses, why, and until when', async () => {
    const { send, fail } = aCircuit();
    await fail(10);
    const error: unknown = await send().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ArmError);
    if (!(error instanceof ArmError)) return;
    expect(cloudProviderErrorOf(error)).toMatchObject({
      ...{ code: 'throttled', reason: 'CircuitOpen', retryAfterMs: 10_000 },
      message: 'no writes of Microsoft.Compute for 10 s, because so many failed; the last: Azure answered 503',
    });
  });
});
