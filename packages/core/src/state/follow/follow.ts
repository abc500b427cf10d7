import type { FollowedCache } from '../../ports/index.ts';

/** What to do about one object of a cache. */
export interface Follower<T> {
  /** Without `previous` the object is new, or was there when the following began. */
  set(object: T, previous: T | undefined): void;
  delete(object: T): void;
}

/** Keeps a follower up to date with a cache, beginning with what is in it now. */
export const follow = <T>(cache: FollowedCache<T>, follower: Follower<T>): void => {
  cache.subscribe((change) => {
    if (change.type === 'deleted') follower.delete(change.object);
    else follower.set(change.object, change.type === 'updated' ? change.previous : undefined);
  });
};

/** Calls `changed` whenever anything in the cache changes. */
export const onAnyChange = <T>(cache: FollowedCache<T>, changed: () => void): void => {
  cache.subscribe(() => changed());
};
