import type { KubeClient, Selection } from '../client/verbs/kube-client.ts';
import type { KubeError } from '../client/kube-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../log/logger.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { CacheContents } from './cache-contents.ts';
import type { InitialRead, ListWatchEvent } from './list-watch.ts';

/**
 * What a cache reads whole now. `last`: the object that the next page comes after; undefined: the first page comes
 * next. Must not throw.
 */
export type ListProgress = { readonly isListing: true; readonly last?: ObjectKey } | { readonly isListing: false };

/** What the driver needs: the cluster, the contents, and the listener. */
export interface ListWatchRun<T> {
  readonly client: Pick<KubeClient, 'listPage' | 'watch'>;
  readonly kind: string;
  readonly onList?: (kind: string, progress: ListProgress) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly contents: CacheContents<T>;
  readonly signal: AbortSignal;
  readonly selection?: Selection;
  readonly initialRead?: InitialRead;
  readonly isOptional?: boolean | 'usually-absent';
  readonly random?: () => number;
  readonly onTrouble?: (failure: KubeError) => void;
  readonly seen: (resourceVersion: string) => void;
  readonly onSynced: () => void;
}

/** An event with the objects that came with it. */
export type ListWatchArrival<T> = ListWatchEvent & { readonly objects?: readonly T[]; readonly isDeletion?: boolean };
