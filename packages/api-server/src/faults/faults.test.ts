import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRawKubeClient, type RawKubeClient } from '@karpenter/kube-api-contract';
import { fakeClock } from '@karpenter/runtime';
import type { ApiObject, ApiServer } from '../public/index.ts';
import { startApiServer } from '../start-api-server.ts';

/** A ConfigMap in the namespace `default`. */
const aConfigMap = (name: string, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
});

const path = '/api/v1/namespaces/default/configmaps';

describe('faults', () => {
  let server: ApiServer;
  let client: RawKubeClient;
  beforeEach(async () => {
    server = await startApiServer({ clock: fakeClock(), watchCacheSize: 10 });
    client = createRawKubeClient({ url: server.url });
  });
  afterEach(() => server.close());

  test('a refusal meets as many requests of its verb and kind as it says, with Retry-After', async () => {
    server.faults.inject({ effect: { kind: 'refuse', code: 429, retryAfterSeconds: 3 }, verbs: ['list'], kinds: ['ConfigMap'], times: 1 });
    expect((await client.call('/api/v1/pods')).status).toBe(200);
    const { status, headers } = await client.call(path);
    expect([status, headers['retry-after']]).toEqual([429, '3']);
    expect((await client.call(path)).status).toBe(200);
  });

  test('a probability draws from the seed, so that a run repeats', async () => {
    const draw = async (): Promise<readonly number[]> => {
      await using other = await startApiServer({ clock: fakeClock(), seed: 7 });
      other.faults.inject({ effect: { kind: 'refuse', code: 500 }, probability: 0.5 });
      const statuses: number[] = [];
      for (let call = 0; call < 12; call += 1) statuses.push((await createRawKubeClient({ url: other.url }).call(path)).status);
      return statuses;
    };
    const first = await draw();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await draw()).toEqual(first);
  });

  test('a reset ends the connection without an answer', async () => {
    using _fault = server.faults.inject({ effect: { kind: 'reset' } });
    await expect(client.call(path)).rejects.toThrow('socket hang up');
  });

  test('a reset after the write loses the answer, not the write', async () => {
    server.faults.inject({ effect: { kind: 'reset', when: 'after' }, verbs: ['create'], times: 1 });
    await expect(client.call(path, { method: 'POST', body: aConfigMap('a') })).rejects.toThrow('socket hang up');
    expect((await client.call(`${path}/a`)).status).toBe(200);
  });

  test('a dropped watch ends; the others go on', async () => {
    server.local.create(aConfigMap('a'));
    using watch = client.watch(`${path}?watch=true`);
    await watch.lines(1);
    expect(server.faults.dropWatches(['Pod'])).toBe(0);
    expect(server.faults.dropWatches(['ConfigMap'])).toBe(1);
    await expect(watch.lines(2)).rejects.toThrow('the watch ended after 1 lines');
  });

  test('a stale watch holds its events back, and then sends them in order', async () => {
    server.local.create(aConfigMap('a'));
    using watch = client.watch(`${path}?watch=true`);
    await watch.lines(1);
    const stale = server.faults.staleWatches();
    server.local.create(aConfigMap('b'));
    server.local.delete('ConfigMap', { name: 'b' });
    expect((await client.call(path)).body).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
    stale[Symbol.dispose]();
    expect((await watch.lines(3)).map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'DELETED']);
  });

  test.each(['staleWatches', 'freezeCache'] as const)('a watch that is opened during %s misses nothing in the end', async (fault) => {
    server.local.create(aConfigMap('a'));
    const version = server.local.get('ConfigMap', { name: 'a' })?.metadata.resourceVersion ?? '';
    const lifted = server.faults[fault]();
    server.local.create(aConfigMap('b'));
    using watch = client.watch(`${path}?watch=true&resourceVersion=${version}`);
    // The marker is a list that is answered after the watch began.
    await client.call(path);
    server.local.create(aConfigMap('c'));
    lifted[Symbol.dispose]();
    expect(await watch.lines(2)).toMatchObject([{ object: { metadata: { name: 'b' } } }, { object: { metadata: { name: 'c' } } }]);
  });

  test('a frozen cache shows the past to cached reads and the present to quorum reads', async () => {
    server.local.create(aConfigMap('a'));
    const frozen = server.faults.freezeCache();
    server.local.create(aConfigMap('b'));
    const count = async (query: string): Promise<unknown> =>
      ((await client.call(`${path}${query}`)).body['items'] as readonly unknown[]).length;
    expect([await count('?resourceVersion=0'), await count('')]).toEqual([1, 2]);
    expect((await client.call(`${path}/b?resourceVersion=0`)).status).toBe(404);
    frozen[Symbol.dispose]();
    expect(await count('?resourceVersion=0')).toBe(2);
  });

  test('a watch from a version that is forgotten gets an ERROR event with 410', async () => {
    server.local.create(aConfigMap('a'));
    server.faults.compact();
    using watch = client.watch(`${path}?watch=true&resourceVersion=1`);
    const [line] = await watch.lines(1);
    expect(line).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  test('a history that overflows forgets its beginning', async () => {
    for (let index = 0; index < 25; index += 1) server.local.create(aConfigMap(`m${index}`));
    using watch = client.watch(`${path}?watch=true&resourceVersion=1`);
    expect((await watch.lines(1))[0]?.type).toBe('ERROR');
  });

  test('a continue token does not outlive a compaction', async () => {
    for (const name of ['a', 'b']) server.local.create(aConfigMap(name));
    const { body } = await client.call(`${path}?limit=1`);
    server.faults.compact();
    const { status } = await client.call(
      `${path}?limit=1&continue=${(body as { readonly metadata: { readonly continue: string } }).metadata.continue}`,
    );
    expect(status).toBe(410);
  });
});
