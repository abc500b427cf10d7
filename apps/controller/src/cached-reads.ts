import type { CacheReader, KubeClient, KubeObject, ObjectCache } from '@karpenter/runtime';

type WholeCache = Pick<ObjectCache<KubeObject>, 'hasSynced'> & Pick<CacheReader<KubeObject>, 'kind' | 'get'>;

/**
 * A client whose `get` reads from a cache where one holds whole objects of the kind. For a provider, which reads its
 * NodeClass for every plan: a read then costs nothing, and may be as stale as the cache. Everything else goes to the
 * API server.
 */
export const readingFromCaches = (client: KubeClient, caches: readonly WholeCache[]): KubeClient => {
  const byKind = new Map(caches.map((cache) => [cache.kind, cache]));
  const get: KubeClient['get'] = <T extends KubeObject>(...[kind, key, options]: Parameters<KubeClient['get']>) => {
    const cache = byKind.get(kind);
    return cache?.hasSynced() ? Promise.resolve(cache.get(key) as T | undefined) : client.get<T>(kind, key, options);
  };
  return { ...client, get };
};
