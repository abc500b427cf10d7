import type { CacheReader, KubeClient, KubeObject, ObjectCache } from '@karpenter/runtime';

type WholeCache = Pick<ObjectCache<KubeObject>, 'hasSynced'> & Pick<CacheReader<KubeObject>, 'kind' | 'get'>;

/**
 * A client whose `get` answers from memory where a cache holds the kind's objects whole. For a provider, which asks for its NodeClass on
 * every plan: a read then costs nothing, and may be as old as the cache. Everything else goes to the API server.
 */
export const readingFromCaches = (client: KubeClient, caches: readonly WholeCache[]): KubeClient => {
  const byKind = new Map(caches.map((cache) => [cache.kind, cache]));
  const get: KubeClient['get'] = <T extends KubeObject>(...[kind, key, options]: Parameters<KubeClient['get']>) => {
    const cache = byKind.get(kind);
    return cache?.hasSynced() ? Promise.resolve(cache.get(key) as T | undefined) : client.get<T>(kind, key, options);
  };
  return { ...client, get };
};
