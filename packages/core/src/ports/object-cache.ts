import type { ObjectCache } from '@karpenter/runtime';

/** What Karpenter needs of a list-watch cache of the runtime: reads, changes in order, and waiting for its own writes. */
export type FollowedCache<T> = Pick<ObjectCache<T>, 'get' | 'list' | 'subscribe' | 'hasSynced' | 'waitFor'>;
