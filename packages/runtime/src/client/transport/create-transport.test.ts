import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import type { Clock } from '../../clock/clock.ts';
import { systemClock } from '../../clock/system-clock.ts';
import type { ClusterConnection } from '../connection/connection.ts';
import { createTransport } from './create-transport.ts';
import { type Answer, json, startTestServer } from '../testing/test-server.ts';
import type { FinishedRequest, TransportOptions } from './transport-options.ts';
import { type Transport, urgently } from './transport.ts';

/** Sleeps take no time, but are written down. */
const impatientClock = (): Clock & { readonly sleptMs: number[] } => {
  const sleptMs: number[] = [];
  return {
    ...systemClock,
    sleptMs,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      sleptMs.push(ms);
      return Promise.resolve();
    },
  };
};

interface Setting extends Partial<TransportOptions> {
  readonly answer: Answer;
  readonly connection?: Partial<ClusterConnection>;
}

const withTransport = async ({ answer, connection, ...options }: Setting) => {
  const server = await startTestServer(answer);
  const transport = createTransport({ server: server.url, tls: {}, ...connection }, { clock: systemClock, ...options });
  return {
    server,
    transport,
    [Symbol.asyncDispose]: async () => {
      await transport.close();
      await server.close();
    },
  };
};

const get = (transport: Transport, path = '/api/v1/nodes') => transport.send({ method: 'GET', path });

test('the date of each answer is handed on, whatever its status', async () => {
  const dates: string[] = [];
  const onDate = (date: string): void => void dates.push(date);
  const date = 'Mon, 01 Jun 2026 00:00:00 GMT';
  const answer: Answer = (_, response, attempt) => {
    response.setHeader('date', date);
    json(response, attempt === 1 ? 404 : 200, {});
  };
  await using setting = await withTransport({ answer, onDate });
  await get(setting.transport);
  await get(setting.transport);
  expect(dates).toEqual([date, date]);
});

describe('connections', () => {
  test('are used again: 100 reads in a row open no more than two', async () => {
    await using setting = await withTransport({ answer: (_, response) => json(response, 200, {}) });
    for (let read = 0; read < 100; read += 1) await get(setting.transport);
    expect(setting.server.requests).toHaveLength(100);
    // A second one, when a read begins before Node has put the first socket back.
    expect(setting.server.connections).toBeLessThanOrEqual(2);
  });

  test('that the server closed under a read are replaced once without anybody noticing', async () => {
    await using setting = await withTransport({
      answer: (_, response, attempt) => {
        if (attempt === 1) response.socket?.destroy();
        else json(response, 200, { ok: true });
      },
    });
    expect((await get(setting.transport)).body).toEqual({ ok: true });
  });

  test('that break under a write are reported to the caller, who knows whether it may be repeated', async () => {
    await using setting = await withTransport({ answer: (_, response) => response.socket?.destroy() });
    await expect(setting.transport.send({ method: 'POST', path: '/x', body: {} })).rejects.toMatchObject({ code: 'network' });
    expect(setting.server.requests).toHaveLength(1);
  });

  test('that the server has closed while they were idle are not used for a write', async () => {
    await using setting = await withTransport({ answer: (_, response) => json(response, 200, {}) });
    for (let write = 0; write < 20; write += 1) {
      // Half of them with what the system has read for Node already, half without.
      if (write % 2 === 0) await systemClock.sleep(1);
      setting.server.closeIdle();
      await setting.transport.send({ method: 'POST', path: '/x', body: {} });
    }
    expect(setting.server.requests).toHaveLength(20);
  });

  test('that are not made within ten seconds are a timeout', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const transport = createTransport({ server: `https://127.0.0.1:${port}`, tls: {} }, { clock: { ...systemClock } });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance', 'hrtime'] });
    const connected = once(silent, 'connection');
    const outcome = get(transport).catch((error: unknown) => error);
    const [socket] = (await connected) as [Socket];
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    expect(await outcome).toMatchObject({ name: 'KubeError', code: 'timeout' });
    socket.destroy();
    silent.close();
    await transport.close();
  });

  test('are no longer made once the transport is closed', async () => {
    await using setting = await withTransport({ answer: (_, response) => json(response, 200, {}) });
    await setting.transport.close();
    await expect(get(setting.transport)).rejects.toMatchObject({ code: 'network' });
    expect(setting.server.connections).toBe(0);
  });

  test('to a port where nobody listens are a network failure', async () => {
    const transport = createTransport({ server: 'http://127.0.0.1:1', tls: {} }, { clock: systemClock });
    await expect(get(transport)).rejects.toMatchObject({ name: 'KubeError', code: 'network' });
    await transport.close();
  });
});

describe('a request', () => {
  test('carries query, body, content type, credentials and the name of the program', async () => {
    const credentials = { headers: () => Promise.resolve({ authorization: 'Bearer t0' }), refresh: () => Promise.resolve() };
    await using setting = await withTransport({
      answer: (_, response) => json(response, 201, {}),
      connection: { credentials },
      userAgent: 'me/1',
    });
    await setting.transport.send({
      method: 'PATCH',
      path: '/api/v1/nodes/a',
      query: { fieldManager: 'a b', force: true, dryRun: undefined },
      body: { x: 'ü' },
      contentType: 'application/merge-patch+json',
    });
    const [seen] = setting.server.requests;
    expect(seen).toMatchObject({ method: 'PATCH', url: '/api/v1/nodes/a?fieldManager=a+b&force=true', body: '{"x":"ü"}' });
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer t0',
      'user-agent': 'me/1',
      'content-type': 'application/merge-patch+json',
    });
  });

  test('keeps the path prefix of the server', async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const transport = createTransport({ server: `${server.url}/clusters/a`, tls: {} }, { clock: systemClock });
    await get(transport);
    await transport.close();
    expect(server.requests[0]?.url).toBe('/clusters/a/api/v1/nodes');
  });

  test('is counted with operation and result', async () => {
    const finished: FinishedRequest[] = [];
    await using setting = await withTransport({
      answer: (_, response) => json(response, 404, {}),
      onRequest: (each) => void finished.push(each),
    });
    await setting.transport.send({ method: 'GET', path: '/x', operation: 'get Node' });
    expect(finished).toMatchObject([{ method: 'GET', operation: 'get Node', result: '404' }]);
  });

  test('that is answered with broken JSON is malformed', async () => {
    await using setting = await withTransport({
      answer: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
    });
    await expect(get(setting.transport)).rejects.toMatchObject({ code: 'malformed', status: 200 });
  });

  test('waits its turn when more come than the rate allows', async () => {
    const clock = impatientClock();
    await using setting = await withTransport({ answer: (_, response) => json(response, 200, {}), clock, qps: 0.001, burst: 2 });
    await Promise.all([get(setting.transport), get(setting.transport), get(setting.transport)]);
    expect(clock.sleptMs).toHaveLength(1);
    expect(clock.sleptMs[0]).toBeGreaterThan(900_000);
  });

  test('that is urgent waits behind no other, and takes nothing of the rate', async () => {
    const clock = impatientClock();
    await using setting = await withTransport({ answer: (_, response) => json(response, 200, {}), clock, qps: 0.001, burst: 2 });
    const urgent = urgently(setting.transport);
    for (let read = 0; read < 3; read += 1) await get(urgent);
    for (let read = 0; read < 2; read += 1) await get(setting.transport);
    expect(clock.sleptMs).toEqual([]);
    await get(setting.transport);
    await get(urgent);
    expect(clock.sleptMs).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const busyUntil =
    (attempts: number, status: number, header = '7'): Answer =>
    (_, response, attempt) => {
      if (attempt > attempts) json(response, 200, { attempt });
      else response.writeHead(status, { 'retry-after': header }).end('busy');
    };

  test('of a 429 is waited for, whatever the verb', async () => {
    const clock = impatientClock();
    await using setting = await withTransport({ answer: busyUntil(2, 429), clock });
    const answer = await setting.transport.send({ method: 'POST', path: '/x', body: {} });
    expect(answer.body).toEqual({ attempt: 3 });
    expect(clock.sleptMs).toEqual([7_000, 7_000]);
  });

  test('of a 503 is waited for, but not by a create or a JSON patch, which may have been done', async () => {
    await using reading = await withTransport({ answer: busyUntil(1, 503), clock: impatientClock() });
    expect((await get(reading.transport)).status).toBe(200);
    await using creating = await withTransport({ answer: busyUntil(1, 503), clock: impatientClock() });
    expect(await creating.transport.send({ method: 'POST', path: '/x', body: {} })).toMatchObject({ status: 503, retryAfterMs: 7_000 });
    await using appending = await withTransport({ answer: busyUntil(1, 503), clock: impatientClock() });
    const append = [{ op: 'add', path: '/spec/taints/-', value: {} }];
    const patch = { method: 'PATCH', path: '/x', body: append, contentType: 'application/json-patch+json' } as const;
    expect(await appending.transport.send(patch)).toMatchObject({ status: 503 });
  });

  test('is waited for five times at most, a minute at most', async () => {
    const clock = impatientClock();
    await using setting = await withTransport({ answer: busyUntil(100, 429, '3600'), clock });
    expect((await get(setting.transport)).status).toBe(429);
    expect(clock.sleptMs).toEqual([60_000, 60_000, 60_000, 60_000, 60_000]);
  });

  test('is left to a caller who asked for that', async () => {
    await using setting = await withTransport({ answer: busyUntil(1, 429) });
    expect(await setting.transport.send({ method: 'POST', path: '/x', body: {}, retry: false })).toMatchObject({ status: 429 });
  });

  test('may be a date', async () => {
    const clock = impatientClock();
    await using setting = await withTransport({ answer: busyUntil(1, 429, new Date(clock.now() + 30_000).toUTCString()), clock });
    await get(setting.transport);
    expect(clock.sleptMs[0]).toBeGreaterThan(27_000);
    expect(clock.sleptMs[0]).toBeLessThanOrEqual(30_000);
  });
});

describe('a 401', () => {
  const credentialsOf = (tokens: string[]) => ({
    headers: () => Promise.resolve({ authorization: `Bearer ${tokens[0] ?? ''}` }),
    refresh: () => Promise.resolve(void tokens.shift()),
  });
  const accepting =
    (token: string): Answer =>
    ({ headers }, response) =>
      json(response, headers.authorization === `Bearer ${token}` ? 200 : 401, {});

  test('refreshes the credentials and asks again', async () => {
    await using setting = await withTransport({ answer: accepting('new'), connection: { credentials: credentialsOf(['old', 'new']) } });
    expect((await get(setting.transport)).status).toBe(200);
    expect(setting.server.requests).toHaveLength(2);
  });

  test('does so once: a second one is the answer', async () => {
    await using setting = await withTransport({ answer: accepting('none'), connection: { credentials: credentialsOf(['a', 'b', 'c']) } });
    expect((await get(setting.transport)).status).toBe(401);
    expect(setting.server.requests).toHaveLength(2);
  });

  test('is the answer when there are no credentials', async () => {
    await using setting = await withTransport({ answer: accepting('none') });
    expect((await get(setting.transport)).status).toBe(401);
    expect(setting.server.requests).toHaveLength(1);
  });
});

describe('aborting', () => {
  const silent: Answer = () => undefined;

  test('by the caller is an aborted call', async () => {
    await using setting = await withTransport({ answer: silent });
    const controller = new AbortController();
    const call = setting.transport.send({ method: 'GET', path: '/x', signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });

  test('by the time limit is a timeout', async () => {
    await using setting = await withTransport({ answer: silent });
    await expect(setting.transport.send({ method: 'GET', path: '/x', timeoutMs: 20 })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('during a wait for Retry-After is an aborted call', async () => {
    await using setting = await withTransport({ answer: (_, response) => response.writeHead(429, { 'retry-after': '60' }).end() });
    const controller = new AbortController();
    const call = setting.transport.send({ method: 'GET', path: '/x', signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a stream', () => {
  test('hands out what comes as it comes, and outlives the time limit', async () => {
    let finish = (): void => undefined;
    await using setting = await withTransport({
      answer: (_, response) => {
        response.writeHead(200).write('one');
        finish = () => void response.end('two');
      },
    });
    const stream = await setting.transport.stream({ method: 'GET', path: '/watch', timeoutMs: 500 });
    if (!('chunks' in stream)) throw new Error('no stream');
    const texts: string[] = [];
    for await (const chunk of stream.chunks) {
      texts.push(Buffer.from(chunk).toString());
      finish();
    }
    expect(texts.join('')).toBe('onetwo');
  });

  test('that is refused is read to its end', async () => {
    await using setting = await withTransport({ answer: (_, response) => json(response, 410, { kind: 'Status', reason: 'Expired' }) });
    expect(await setting.transport.stream({ method: 'GET', path: '/watch' })).toEqual({
      status: 410,
      body: { kind: 'Status', reason: 'Expired' },
    });
  });

  test('that breaks throws, one that the caller leaves is aborted', async () => {
    await using setting = await withTransport({
      answer: (_, response) => void response.writeHead(200).write('one', () => response.socket?.destroy()),
    });
    const stream = await setting.transport.stream({ method: 'GET', path: '/watch' });
    if (!('chunks' in stream)) throw new Error('no stream');
    const read = async (): Promise<void> => {
      for await (const _ of stream.chunks);
    };
    await expect(read()).rejects.toMatchObject({ name: 'KubeError', code: 'network' });
  });
});
