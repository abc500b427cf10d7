import { describe, expect, test } from '@jest/globals';
import type { KubeClient, KubeObject, ObjectKey } from '@karpenter/runtime';
import { readingFromCaches } from './cached-reads.ts';

const anObject = (kind: string, name: string): KubeObject => ({ apiVersion: 'v1', kind, metadata: { name } });

/** A client that records its requests. */
const askedClient = () => {
  const asked: string[] = [];
  const get = (kind: string, { name }: ObjectKey): Promise<KubeObject> => {
    asked.push(`${kind}/${name}`);
    return Promise.resolve(anObject(kind, name));
  };
  return { asked, client: { get } as unknown as KubeClient };
};

const aCache = (kind: string, options: { readonly synced: boolean; readonly holds: readonly string[] }) => ({
  kind,
  hasSynced: () => options.synced,
  get: ({ name }: ObjectKey) => (options.holds.includes(name) ? anObject(kind, name) : undefined),
});

describe('a client that reads from caches', () => {
  test('asks nobody for what a synced cache holds, nor for what it knows to be absent', async () => {
    const { asked, client } = askedClient();
    const reading = readingFromCaches(client, [aCache('Node', { synced: true, holds: ['a'] })]);
    expect((await reading.get('Node', { name: 'a' }))?.metadata.name).toBe('a');
    expect(await reading.get('Node', { name: 'b' })).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('asks the API server while the cache has not synced, and for kinds that no cache holds', async () => {
    const { asked, client } = askedClient();
    const reading = readingFromCaches(client, [aCache('Node', { synced: false, holds: ['a'] })]);
    await reading.get('Node', { name: 'a' });
    await reading.get('Service', { name: 'kube-dns' });
    expect(asked).toEqual(['Node/a', 'Service/kube-dns']);
  });
});
