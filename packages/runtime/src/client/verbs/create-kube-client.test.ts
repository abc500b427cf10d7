import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../clock/system-clock.ts';
import { kindTable } from '../../objects/resource-kind.ts';
import type { KubeObject } from '../../objects/kube-object.ts';
import { createKubeClient, type KubeClientOptions } from './create-kube-client.ts';
import type { ObjectPage } from './kube-client.ts';
import type { PageSizing } from './kube-reader.ts';
import { createTransport } from '../transport/create-transport.ts';
import { type Answer, json, startTestServer } from '../testing/test-server.ts';

const kinds = kindTable([
  { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  { group: 'karpenter.sh', version: 'v1', kind: 'NodePool', plural: 'nodepools', namespaced: false },
]);

const withClient = async (answer: Answer, options: KubeClientOptions = {}) => {
  const server = await startTestServer(answer);
  const transport = createTransport({ server: server.url, tls: {} }, { clock: systemClock });
  return {
    server,
    client: createKubeClient(transport, kinds, options),
    [Symbol.asyncDispose]: async () => {
      await transport.close();
      await server.close();
    },
  };
};

const answering =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    json(response, status, body);

const notFound = answering(404, { kind: 'Status', reason: 'NotFound', code: 404 });
const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'general', resourceVersion: '5' } };
const web = { namespace: 'shop', name: 'web' };

describe('absence is an outcome', () => {
  test('of every verb that names an object', async () => {
    await using setting = await withClient(notFound);
    const { client } = setting;
    expect(await client.get('Pod', web)).toBeUndefined();
    expect(await client.update('NodePool', pool)).toBeUndefined();
    expect(await client.updateStatus('NodePool', pool)).toBeUndefined();
    expect(await client.patch('Pod', web, { type: 'merge', body: {} })).toBeUndefined();
    expect(await client.delete('Pod', web)).toBe('gone');
    expect(await client.evict(web)).toBe('gone');
    expect(await client.bind(web, 'node-1')).toBe('gone');
  });

  test('but not of a kind or a namespace', async () => {
    await using setting = await withClient(notFound);
    await expect(setting.client.list('NodePool')).rejects.toMatchObject({ code: 'not-found' });
    await expect(setting.client.create('NodePool', pool)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('objects', () => {
  test('keep the fields that no type names through a read and a write', async () => {
    const stored = { ...pool, spec: { futureField: { a: [1, null] } } };
    await using setting = await withClient(({ method, body }, response) =>
      json(response, 200, method === 'PUT' ? JSON.parse(body) : stored),
    );
    const read = await setting.client.get('NodePool', { name: 'general' });
    if (read === undefined) throw new Error('not read');
    expect(await setting.client.update('NodePool', { ...read, metadata: { ...read.metadata, labels: { a: 'b' } } })).toEqual({
      ...stored,
      metadata: { ...stored.metadata, labels: { a: 'b' } },
    });
  });

  test('of a list come from all pages and know their kind', async () => {
    await using setting = await withClient(({ url }, response) => {
      const page = new URL(url, 'http://x').searchParams.get('continue') ?? '0';
      const metadata = { resourceVersion: '9', ...(page === '2' ? {} : { continue: String(Number(page) + 1) }) };
      json(response, 200, { kind: 'NodePoolList', metadata, items: [{ metadata: { name: `p${page}` } }] });
    });
    const list = await setting.client.list('NodePool', { limit: 1, labelSelector: 'a=b' });
    expect(list.resourceVersion).toBe('9');
    expect(list.items).toEqual(['p0', 'p1', 'p2'].map((name) => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name } })));
    expect(setting.server.requests[1]?.url).toBe('/apis/karpenter.sh/v1/nodepools?limit=1&labelSelector=a%3Db&continue=1');
  });

  test('of more than a megabyte each come in small pages: no answer is read beyond 32 MiB', async () => {
    const large = 'x'.repeat(1_400_000);
    const limits: number[] = [];
    await using setting = await withClient(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const limit = Number(query.get('limit'));
      const from = Number(query.get('continue') ?? '0');
      limits.push(limit);
      const items = Array.from({ length: Math.min(limit, 30 - from) }, (_, index) => ({ metadata: { name: `p${from + index}` }, large }));
      const next = from + items.length;
      json(response, 200, { metadata: { resourceVersion: '9', ...(next < 30 ? { continue: String(next) } : {}) }, items });
    });
    const { items } = await setting.client.list('Pod');
    expect(items.map(({ metadata }) => metadata.name)).toEqual(Array.from({ length: 30 }, (_, index) => `p${index}`));
    expect(limits.slice(0, 4)).toEqual([500, 125, 31, 7]);
    expect(Math.max(...limits.slice(4))).toBeLessThanOrEqual(7);
  });

  test('that are small again come in larger pages, up to 500', async () => {
    const limits: number[] = [];
    await using setting = await withClient(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      const page = Number(query.get('continue') ?? '0');
      limits.push(Number(query.get('limit')));
      const items = [{ metadata: { name: `p${page}` }, ...(page === 0 && { large: 'x'.repeat(4_000_000) }) }];
      json(response, 200, { metadata: { resourceVersion: '9', ...(page < 9 ? { continue: String(page + 1) } : {}) }, items });
    });
    await setting.client.list('Pod');
    expect(limits).toEqual([500, 2, 4, 8, 16, 32, 64, 128, 256, 500]);
  });

  test('of a client with small pages come one first, then as many as have a megabyte', async () => {
    const limits: number[] = [];
    await using setting = await withClient(
      ({ url }, response) => {
        const query = new URL(url, 'http://x').searchParams;
        const [limit, from] = [Number(query.get('limit')), Number(query.get('continue') ?? '0')];
        limits.push(limit);
        const items = Array.from({ length: Math.min(limit, 60 - from) }, (_, index) => ({
          metadata: { name: `p${from + index}` },
          text: 'x'.repeat(from + index < 20 ? 100_000 : 1_400_000),
        }));
        const next = from + items.length;
        json(response, 200, { metadata: { resourceVersion: '9', ...(next < 60 ? { continue: String(next) } : {}) }, items });
      },
      { pages: () => 'small' },
    );
    const { items } = await setting.client.list('Pod');
    expect(items).toHaveLength(60);
    expect(limits.slice(0, 5)).toEqual([1, 2, 4, 8, 10]);
    expect(limits.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1));
  });

  test('of a client whose small pages have ended come in usual pages, whatever the small ones taught', async () => {
    const limits: number[] = [];
    let pages: PageSizing = 'small';
    await using setting = await withClient(
      ({ url }, response) => {
        limits.push(Number(new URL(url, 'http://x').searchParams.get('limit')));
        json(response, 200, { metadata: { resourceVersion: '9' }, items: [{ metadata: { name: 'a' } }] });
      },
      { pages: () => pages },
    );
    const first = await setting.client.listPage('Pod');
    await setting.client.listPage('Pod');
    pages = 'usual';
    const last = await setting.client.listPage('Pod');
    expect(limits).toEqual([1, 2, 500]);
    expect([first.isReduced, last.isReduced]).toEqual([true, undefined]);
  });

  test('that are large are read one page at a time, whichever kind they are of', async () => {
    let open = 0;
    let mostOpen = 0;
    const reduced: (boolean | undefined)[] = [];
    await using setting = await withClient(({ url }, response) => {
      const from = Number(new URL(url, 'http://x').searchParams.get('continue') ?? '0');
      open += from > 0 ? 1 : 0;
      mostOpen = Math.max(mostOpen, open);
      setTimeout(() => {
        open -= from > 0 ? 1 : 0;
        const metadata = { resourceVersion: '9', ...(from < 3 ? { continue: String(from + 1) } : {}) };
        json(response, 200, { metadata, items: [{ metadata: { name: `p${from}` }, large: 'x'.repeat(1_400_000) }] });
      }, 5);
    });
    const readAll = async (kind: string): Promise<void> => {
      let page: ObjectPage<KubeObject> | undefined;
      do {
        page = await setting.client.listPage(kind, page?.continue === undefined ? {} : { continue: page.continue });
        reduced.push(page.isReduced);
      } while (page.continue !== undefined);
    };
    await Promise.all(['Pod', 'NodePool'].map(readAll));
    expect(mostOpen).toBe(1);
    expect(reduced).toEqual(Array.from({ length: 8 }, () => true));
  });

  test('of a kind that the table does not hold are a bug', async () => {
    await using setting = await withClient(notFound);
    await expect(setting.client.get('Unknown', { name: 'a' })).rejects.toThrow(TypeError);
  });
});

describe('patches', () => {
  test.each([
    ['merge', 'application/merge-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
    ['json', 'application/json-patch+json'],
  ] as const)('of type %s have their content type', async (type, contentType) => {
    await using setting = await withClient(answering(200, pool));
    await setting.client.patch('NodePool', { name: 'general' }, type === 'json' ? { type, body: [] } : { type, body: {} });
    expect(setting.server.requests[0]?.headers['content-type']).toBe(contentType);
  });

  test('that apply name their owner and go to the status when asked', async () => {
    await using setting = await withClient(answering(200, pool));
    await setting.client.patchStatus(
      'NodePool',
      { name: 'general' },
      { type: 'apply', body: pool, fieldManager: 'karpenter', force: true },
    );
    expect(setting.server.requests[0]).toMatchObject({
      method: 'PATCH',
      url: '/apis/karpenter.sh/v1/nodepools/general/status?fieldManager=karpenter&force=true',
    });
  });
});

describe('a delete', () => {
  const terminating = { ...pool, metadata: { ...pool.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const otherUid = 'Precondition failed: UID in precondition: a, UID in object meta: b';
  test.each([
    { name: 'of an object without finalizers', status: 200, body: { kind: 'Status', status: 'Success' }, outcome: 'deleted' },
    { name: 'of an object with finalizers', status: 200, body: terminating, outcome: 'terminating' },
    {
      name: 'of another object of the name',
      status: 409,
      body: { kind: 'Status', reason: 'Conflict', message: otherUid },
      outcome: 'gone',
    },
  ])('$name', async ({ status, body, outcome }) => {
    await using setting = await withClient(answering(status, body));
    expect(await setting.client.delete('NodePool', { name: 'general' }, { uid: 'a', propagationPolicy: 'Background' })).toBe(outcome);
    expect(JSON.parse(setting.server.requests[0]?.body ?? '')).toMatchObject({
      preconditions: { uid: 'a' },
      propagationPolicy: 'Background',
    });
  });

  test('of another object of the name is gone in the words of either check of the API server', async () => {
    const message =
      'the UID in the precondition (a) does not match the UID in record (b). The object might have been deleted and then recreated';
    await using setting = await withClient(answering(409, { kind: 'Status', reason: 'Conflict', message }));
    expect(await setting.client.delete('NodePool', { name: 'general' }, { uid: 'a' })).toBe('gone');
    expect(await setting.client.evict(web, { uid: 'a' })).toBe('gone');
  });

  test('of a version that is no longer current is a conflict', async () => {
    await using setting = await withClient(
      answering(409, { kind: 'Status', reason: 'Conflict', message: 'ResourceVersion in precondition: 1' }),
    );
    await expect(setting.client.delete('NodePool', { name: 'general' }, { resourceVersion: '1' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('an eviction', () => {
  const budget = {
    causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 3 healthy pods and has 3 currently' }],
  };
  test('that a budget refuses is blocked, in its words, and not repeated', async () => {
    const refusal = { kind: 'Status', reason: 'TooManyRequests', message: 'Cannot evict pod', details: budget };
    await using setting = await withClient((_, response) =>
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '10' }).end(JSON.stringify(refusal)),
    );
    expect(await setting.client.evict(web)).toEqual({
      blocked: 'The disruption budget web needs 3 healthy pods and has 3 currently',
      status: 429,
    });
    expect(setting.server.requests).toHaveLength(1);
  });

  test('that two budgets select is blocked', async () => {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    await using setting = await withClient(answering(500, { kind: 'Status', reason: 'InternalError', message }));
    expect(await setting.client.evict(web)).toEqual({ blocked: message, status: 500 });
  });

  test('that two budgets select is blocked when only the body says so', async () => {
    const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    await using setting = await withClient(answering(201, { kind: 'Status', status: 'Failure', message, code: 500 }));
    expect(await setting.client.evict(web)).toEqual({ blocked: message, status: 500 });
  });

  test('that met a concurrent write is a conflict: the pod is still there', async () => {
    const message = 'the object has been modified; please apply your changes to the latest version and try again';
    await using setting = await withClient(answering(409, { kind: 'Status', reason: 'Conflict', message }));
    await expect(setting.client.evict(web, { uid: 'u1' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('that flow control refuses is a failure', async () => {
    await using setting = await withClient(answering(429, { kind: 'Status', reason: 'TooManyRequests' }));
    await expect(setting.client.evict(web)).rejects.toMatchObject({ code: 'too-many-requests' });
  });

  test('names the pod, its uid and the grace period', async () => {
    await using setting = await withClient(answering(201, { kind: 'Status', status: 'Success' }));
    expect(await setting.client.evict(web, { uid: 'u1', gracePeriodSeconds: 5 })).toBe('evicted');
    const [seen] = setting.server.requests;
    expect(seen?.url).toBe('/api/v1/namespaces/shop/pods/web/eviction');
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({
      kind: 'Eviction',
      deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: 'u1' } },
    });
  });
});

describe('the page of a proxy, with status 200', () => {
  test.each([
    { name: 'HTML', type: 'text/html', text: '<html>Sign in</html>' },
    { name: 'other JSON', type: 'application/json', text: '{"ok":true}' },
    { name: 'nothing', type: 'text/plain', text: '' },
  ])('is not taken for an empty list: $name', async ({ type, text }) => {
    await using setting = await withClient((_, response) => response.writeHead(200, { 'content-type': type }).end(text));
    await expect(setting.client.list('NodePool')).rejects.toMatchObject({ code: 'malformed' });
  });

  test('is not taken for an object', async () => {
    await using setting = await withClient((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    await expect(setting.client.get('NodePool', { name: 'general' })).rejects.toMatchObject({ code: 'malformed' });
  });
});

describe('a watch', () => {
  const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const end = { 'k8s.io/initial-events-end': 'true' };

  test('gives changes and bookmarks', async () => {
    const object = { ...pool, kind: 'NodePool' };
    await using setting = await withClient((_, response) =>
      response.end(
        lines(
          { type: 'ADDED', object },
          { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7', annotations: end } } },
          { type: 'DELETED', object },
        ),
      ),
    );
    expect(await Array.fromAsync(setting.client.watch('NodePool', { sendInitialEvents: true, timeoutSeconds: 300 }))).toEqual([
      { type: 'added', object },
      { type: 'bookmark', resourceVersion: '7', initialEventsEnd: true },
      { type: 'deleted', object },
    ]);
    const query = new URL(setting.server.requests[0]?.url ?? '', 'http://x').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      timeoutSeconds: '300',
    });
  });

  test('throws what an ERROR event says', async () => {
    await using setting = await withClient((_, response) =>
      response.end(lines({ type: 'ERROR', object: { kind: 'Status', reason: 'Expired', code: 410 } })),
    );
    await expect(Array.fromAsync(setting.client.watch('NodePool'))).rejects.toMatchObject({ code: 'expired' });
  });

  test('of a compacted version is refused as expired', async () => {
    await using setting = await withClient(answering(410, { kind: 'Status', reason: 'Expired' }));
    await expect(Array.fromAsync(setting.client.watch('NodePool', { resourceVersion: '1' }))).rejects.toMatchObject({ code: 'expired' });
  });

  test.each(['null', '{"type":"ADDED"}', '{"type":"BOOKMARK","object":{}}', '{"type":"ADDED","object":{"metadata":{}}}'])(
    'of a line that is no event is malformed: %s',
    async (line) => {
      await using setting = await withClient((_, response) => response.end(`${line}\n`));
      await expect(Array.fromAsync(setting.client.watch('NodePool'))).rejects.toMatchObject({ code: 'malformed' });
    },
  );

  test('ends its request when its reader leaves', async () => {
    const closed = Promise.withResolvers<boolean>();
    await using setting = await withClient((_, response) => {
      response.on('close', () => closed.resolve(true));
      response.write(lines({ type: 'ADDED', object: pool }));
    });
    for await (const event of setting.client.watch('NodePool')) {
      expect(event.type).toBe('added');
      break;
    }
    expect(await closed.promise).toBe(true);
  });
});

test('a page of 200,000 objects, from a server that keeps no limit, is read whole', async () => {
  const items = Array.from({ length: 200_000 }, () => ({}));
  await using setting = await withClient(answering(200, { kind: 'PodList', metadata: { resourceVersion: '1' }, items }));
  const list = await setting.client.list('Pod');
  expect(list.items).toHaveLength(200_000);
});
