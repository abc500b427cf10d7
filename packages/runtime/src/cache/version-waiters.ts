import { compareResourceVersions } from '../objects/kube-object.ts';

/** Those who wait until a version was seen. */
export interface VersionWaiters {
  /** Everything up to `resourceVersion` has been seen. */
  readonly seen: (resourceVersion: string) => void;
  /** Resolves once `resourceVersion` was seen; rejects with the signal's reason. */
  waitFor(resourceVersion: string, signal?: AbortSignal): Promise<void>;
}

interface Waiter {
  readonly resourceVersion: string;
  readonly resolve: () => void;
}

/** Nothing seen, nobody waiting. */
export const versionWaiters = (): VersionWaiters => {
  let latest = '';
  const waiters = new Set<Waiter>();
  const isSeen = (resourceVersion: string): boolean => compareResourceVersions(resourceVersion, latest) <= 0;

  return {
    seen(resourceVersion) {
      if (isSeen(resourceVersion)) return;
      latest = resourceVersion;
      for (const waiter of waiters) if (isSeen(waiter.resourceVersion)) waiter.resolve();
    },
    waitFor: (resourceVersion, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        if (isSeen(resourceVersion)) {
          resolve();
          return;
        }
        const onAbort = (): void => {
          waiters.delete(waiter);
          reject(signal?.reason as Error);
        };
        const waiter: Waiter = {
          resourceVersion,
          resolve: () => {
            waiters.delete(waiter);
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
};
