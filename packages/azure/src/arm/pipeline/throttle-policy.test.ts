import { describe, expect, test } from '@jest/globals';
import { createHttpHeaders, createPipelineRequest, type HttpMethods, type PipelineResponse } from '@azure/core-rest-pipeline';
import { type FakeClock, fakeClock } from '@karpenter/runtime';
import { throttlePolicy } from './throttle-policy.ts';

const answer = (status: number, headers: Record<string, string> = {}, body?: object) => ({
  status,
  headers: createHttpHeaders(headers),
  ...(body && { bodyAsText: JSON.stringify(body) }),
});

/** As the network says it of a subnet that is being written. Source: hashicorp/terraform#7986. */
const busySubnet = {
  error: {
    code: 'RetryableError',
    message: 'A retryable error occurred.',
    details: [
      { code: 'ReferencedResourceNotProvisioned', message: 'Cannot proceed with operation because resource x is not in Succeeded state.' },
    ],
  },
};

/** Sends calls through one policy and notes when each reached Azure. */
const aThrottle = (clock: FakeClock, respond: () => ReturnType<typeof answer> = () => answer(200)) => {
  const policy = throttlePolicy(clock);
  const startMs = clock.now();
  const reachedMs: number[] = [];
  const send = (method: HttpMethods, url = 'https://arm.example/'): Promise<PipelineResponse> => {
    const request = createPipelineRequest({ url, method });
    return policy.sendRequest(request, () => {
      reachedMs.push(clock.now() - startMs);
      return Promise.resolve({ request, ...respond() });
    });
  };
  return { send, reachedMs };
};

describe('what ARM grants', () => {
  test('goes out at once, the rest one after the other; other kinds of calls do not wait for it', async () => {
    const clock = fakeClock();
    const { send, reachedMs } = aThrottle(clock);
    const writes = Promise.all(Array.from({ length: 200 }, () => send('PUT')));
    const read = send('GET');
    await clock.advance(0);
    expect(reachedMs).toHaveLength(196);
    await read;
    await clock.advance(500);
    await writes;
    expect(reachedMs.slice(-5)).toEqual([100, 200, 300, 400, 500]);
  });

  test('is less for AKS, and calls that wait for AKS delay no other service', async () => {
    const clock = fakeClock();
    const { send, reachedMs } = aThrottle(clock);
    const machine = 'https://arm.example/x/providers/Microsoft.ContainerService/managedClusters/main/agentPools/pool/machines/a';
    const calls = Promise.all(Array.from({ length: 58 }, (_, index) => send(index % 2 === 0 ? 'PUT' : 'GET', machine)));
    await Promise.all([send('PUT'), send('GET')]);
    expect(reachedMs).toHaveLength(57);
    await clock.advance(3000);
    await calls;
    expect(reachedMs.slice(-3)).toEqual([1000, 2000, 3000]);
    for (let index = 0; index < 120; index++) void send('GET', machine);
    await expect(send('GET', machine)).rejects.toThrow('Azure takes no more calls to AKS of this subscription for 121 s');
  });

  test('is what the answers say is left', async () => {
    const clock = fakeClock();
    const { send, reachedMs } = aThrottle(clock, () => answer(200, { 'x-ms-ratelimit-remaining-subscription-writes': '5' }));
    await send('PUT');
    const second = send('PATCH');
    await clock.advance(99);
    expect(reachedMs).toHaveLength(1);
    await clock.advance(1);
    await second;
    expect(reachedMs).toEqual([0, 100]);
  });

  test('ends with a 429: whoever waits takes a new place, and they come one after the other', async () => {
    const clock = fakeClock();
    const answers = [answer(429, { 'retry-after': '10' })];
    const { send, reachedMs } = aThrottle(clock, () => answers.shift() ?? answer(200));
    await send('DELETE');
    const waiting = Promise.all([send('DELETE'), send('DELETE'), send('DELETE')]);
    await clock.advance(9_999);
    expect(reachedMs).toHaveLength(1);
    await clock.advance(201);
    await waiting;
    expect(reachedMs).toEqual([0, 10_000, 10_100, 10_200]);
  });

  test('does not end with a 429 about one resource that is busy: a busy subnet delays only what needs it', async () => {
    const clock = fakeClock();
    const answers = [answer(429, { 'retry-after': '10' }, busySubnet)];
    const { send, reachedMs } = aThrottle(clock, () => answers.shift() ?? answer(200));
    expect(await send('PUT')).toMatchObject({ status: 429 });
    await Promise.all([send('PUT'), send('PUT')]);
    expect(reachedMs).toEqual([0, 0, 0]);
  });

  test('is not waited for when it is far off: the call fails at once and says for how long', async () => {
    const clock = fakeClock();
    const { send, reachedMs } = aThrottle(clock, () => answer(429, { 'retry-after': '600' }));
    await send('PUT');
    await clock.advance(100_000);
    await expect(send('PUT')).rejects.toMatchObject({ code: 'throttled', retryAfterMs: 500_000 });
    expect(reachedMs).toHaveLength(1);
  });
});
