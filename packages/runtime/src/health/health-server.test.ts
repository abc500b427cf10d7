import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { createRuntimeMetrics } from '../metrics/runtime-metrics.ts';
import { healthChecks } from './health-checks.ts';
import { startHealthServer } from './health-server.ts';

const get = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

describe('the health server', () => {
  test('says ok, or which checks fail and why', async () => {
    const readyz = healthChecks();
    let why: string | undefined = 'not synced yet';
    readyz.add('cache of Pod', () => why);
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', healthz: healthChecks(), readyz });
    expect(await get(server.port, '/healthz?verbose')).toEqual({ status: 200, text: 'ok\n' });
    expect(await get(server.port, '/readyz')).toEqual({ status: 503, text: 'cache of Pod: not synced yet\n' });
    why = undefined;
    expect(await get(server.port, '/readyz')).toEqual({ status: 200, text: 'ok\n' });
  });

  test('when a check throws › it fails by name, and the server goes on', async () => {
    const healthz = healthChecks();
    healthz.add('loop', () => {
      throw new TypeError('no such thing');
    });
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', healthz });
    expect(await get(server.port, '/healthz')).toEqual({ status: 503, text: 'loop: the check threw: TypeError: no such thing\n' });
  });

  test('serves the metrics of the registry it was given, and nothing else', async () => {
    const metrics = new Registry();
    new Counter({ name: 'seen_total', help: 'Seen.', registers: [metrics] }).inc(3);
    createRuntimeMetrics(metrics).controllers.reconciled('a', 'settled', 20);
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', metrics });
    const { status, text } = await get(server.port, '/metrics');
    expect(status).toBe(200);
    expect(text).toContain('seen_total 3');
    expect(text).toContain('controller_runtime_reconcile_total{controller="a",result="success"} 1');
    expect((await get(server.port, '/readyz')).status).toBe(404);
    expect((await get(server.port, '/')).status).toBe(404);
  });

  test('cuts off a client that says nothing', async () => {
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', healthz: healthChecks(), silentMs: 20 });
    const silent = connect(server.port, '127.0.0.1');
    await once(silent, 'close');
    expect(silent.bytesRead).toBe(0);
    expect(await get(server.port, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  });

  /** A registry whose text is there when it is released. */
  const heldRegistry = (text: string) => {
    const metrics = new Registry();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let made = 0;
    metrics.metrics = async () => {
      made += 1;
      await promise;
      return text;
    };
    return { metrics, release: () => resolve(undefined), made: () => made };
  };

  test('makes the metrics once for scrapes that come meanwhile', async () => {
    const { metrics, release, made } = heldRegistry('seen_total 3\n');
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', metrics, healthz: healthChecks() });
    const scrapes = [get(server.port, '/metrics'), get(server.port, '/metrics')];
    while (made() === 0) await get(server.port, '/healthz');
    scrapes.push(get(server.port, '/metrics'));
    await get(server.port, '/healthz');
    release();
    expect((await Promise.all(scrapes)).map(({ text }) => text)).toEqual(Array(3).fill('seen_total 3\n'));
    expect(made()).toBeLessThanOrEqual(2);
  });

  test('refuses the ninth scrape while eight are not read, and goes on to answer probes', async () => {
    const { metrics, release } = heldRegistry('x'.repeat(16 * 1024 * 1024));
    release();
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1', metrics, healthz: healthChecks() });
    const open = await Promise.all(Array.from({ length: 8 }, () => fetch(`http://127.0.0.1:${server.port}/metrics`)));
    expect(open.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await get(server.port, '/metrics')).toEqual({ status: 503, text: '8 scrapes are being read\n' });
    expect((await get(server.port, '/healthz')).status).toBe(200);
    for (const { body } of open) await body?.cancel();
    let status = 503;
    while (status === 503) ({ status } = await get(server.port, '/metrics'));
    expect(status).toBe(200);
  });

  test('on a port that is taken says so', async () => {
    await using server = await startHealthServer({ port: 0, host: '127.0.0.1' });
    await expect(startHealthServer({ port: server.port, host: '127.0.0.1' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
