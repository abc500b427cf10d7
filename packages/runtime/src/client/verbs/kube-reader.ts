import type { KubeObject } from '../../objects/kube-object.ts';
import type { ObjectKey } from '../../objects/object-key.ts';
import { classifyResponse } from '../classify.ts';
import { decodeWatchEvent, linesOf, type WatchEvent } from './watch-event.ts';
import { KubeError } from '../kube-error.ts';
import { acceptedBody, foundBody, type KindCalls, withTypes } from './kind-calls.ts';
import type { KubeCallOptions } from '../call-options.ts';
import type { KubeClient, ListOptions, ObjectList, ObjectPage, PageOptions, WatchOptions } from './kube-client.ts';
import { collectionPath, objectPath } from './resource-path.ts';
import type { TransportResponse } from '../transport/transport.ts';

const PAGE_SIZE = 500;
const MIB = 1024 * 1024;

/** How large pages are. `small`: one object first, and hardly more than the largest object has. */
export type PageSizing = 'usual' | 'small';

interface PageBounds {
  /** Objects of the first page of a kind. */
  readonly first: number;
  /** What a page should take. Most have fewer bytes with `PAGE_SIZE` objects. */
  readonly bytes: number;
  /** What a page may take. A longer one is requested again, with fewer objects. */
  readonly mostBytes: number;
}

const BOUNDS: Readonly<Record<PageSizing, PageBounds>> = {
  usual: { first: PAGE_SIZE, bytes: 8 * MIB, mostBytes: 32 * MIB },
  small: { first: 1, bytes: MIB, mostBytes: 2 * MIB },
};

/**
 * How many objects of each kind a page asks for: as many as have about `bytes` together, by the last page. One
 * namespace may hold hundreds of objects of more than a megabyte.
 */
class PageSizes {
  readonly #sizing: () => PageSizing;
  /** By sizing and kind: what small pages taught says nothing of usual ones. */
  readonly #sizes = new Map<string, number>();
  #lastReduced: Promise<unknown> = Promise.resolve();

  constructor(sizing: () => PageSizing) {
    this.#sizing = sizing;
  }

  get bounds(): PageBounds {
    return BOUNDS[this.#sizing()];
  }

  of(kind: string): number {
    return this.#sizes.get(this.#keyOf(kind)) ?? this.bounds.first;
  }

  /** A page with so many objects was too long. */
  shrink(kind: string, size: number): void {
    this.#sizes.set(this.#keyOf(kind), Math.max(1, Math.floor(size / 4)));
  }

  /** Grows no faster than twofold: the next objects may be larger. */
  learn(kind: string, { count, bytes = 0 }: { readonly count: number; readonly bytes: number | undefined }): void {
    if (count === 0 || bytes === 0) return;
    const fitting = Math.max(1, Math.floor((this.bounds.bytes * count) / bytes));
    this.#sizes.set(this.#keyOf(kind), Math.min(PAGE_SIZE, 2 * this.of(kind), fitting));
  }

  /** Whether the next page has far fewer objects than usual. */
  isReduced(kind: string): boolean {
    return this.of(kind) < PAGE_SIZE / 4;
  }

  /** Reads a page. Those of kinds with large objects come one after the other: twenty kinds are listed at once. */
  inTurn<T>(kind: string, read: () => Promise<T>): Promise<T> {
    if (!this.isReduced(kind)) return read();
    const page = this.#lastReduced.then(read);
    this.#lastReduced = page.catch(() => undefined);
    return page;
  }

  #keyOf(kind: string): string {
    return `${this.#sizing()} ${kind}`;
  }
}

interface RawList {
  readonly items?: readonly KubeObject[] | null;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

async function* watchEvents<T extends KubeObject>(calls: KindCalls, kind: string, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
  const { namespace, signal, sendInitialEvents, ...query } = options;
  const answer = await calls.transport.stream({
    method: 'GET',
    path: collectionPath(calls.kindOf(kind), namespace),
    operation: `watch ${kind}`,
    query: {
      watch: true,
      allowWatchBookmarks: true,
      ...query,
      ...(sendInitialEvents === true ? { sendInitialEvents, resourceVersionMatch: 'NotOlderThan' } : {}),
    },
    signal,
  });
  if (!('chunks' in answer)) throw classifyResponse(answer);
  for await (const line of linesOf(answer.chunks)) yield decodeWatchEvent<T>(line);
}

const pageOf = async <T extends KubeObject>(calls: PageCalls, kindName: string, options: PageOptions): Promise<ObjectPage<T>> => {
  const { namespace, signal, limit: most = PAGE_SIZE, ...query } = options;
  const { sizes } = calls;
  const kind = calls.kindOf(kindName);
  const path = collectionPath(kind, namespace);
  const ask = async (limit: number): Promise<TransportResponse> => {
    const answer = await calls.transport.send({
      method: 'GET',
      path,
      operation: `list ${kindName}`,
      query: { limit, ...query },
      signal,
      mostBytes: limit > 1 ? sizes.bounds.mostBytes : Number.POSITIVE_INFINITY,
    });
    if (answer.status !== 413 || limit === 1) return answer;
    sizes.shrink(kindName, limit);
    return ask(Math.min(most, sizes.of(kindName)));
  };
  const answer = await sizes.inTurn(kindName, () => ask(Math.min(most, sizes.of(kindName))));
  const { items, metadata } = acceptedBody(answer) as RawList;
  sizes.learn(kindName, { count: items?.length ?? 0, bytes: answer.bytes });
  // If another answer counted as an empty list, all objects would seem to be gone.
  if (metadata?.resourceVersion === undefined)
    throw new KubeError(`list ${kindName}: the answer is no list`, { code: 'malformed', status: answer.status, cause: answer.body });
  const next = metadata.continue;
  return {
    items: withTypes(kind, items ?? []) as readonly T[],
    resourceVersion: metadata.resourceVersion,
    ...(next === undefined || next === '' ? {} : { continue: next }),
    ...(sizes.isReduced(kindName) && { isReduced: true }),
  };
};

/** Calls that remember how large pages may be. */
interface PageCalls extends KindCalls {
  readonly sizes: PageSizes;
}

const objectAt =
  ({ transport, kindOf }: KindCalls) =>
  async (kind: string, key: ObjectKey, { signal }: KubeCallOptions = {}): Promise<unknown> =>
    foundBody(await transport.send({ method: 'GET', path: objectPath(kindOf(kind), key), operation: `get ${kind}`, signal }));

/** The verbs that read. */
export const kubeReader = (given: KindCalls, sizing: () => PageSizing): Pick<KubeClient, 'get' | 'list' | 'listPage' | 'watch'> => {
  const calls: PageCalls = { ...given, sizes: new PageSizes(sizing) };
  return {
    get: objectAt(calls) as KubeClient['get'],
    list: async <T extends KubeObject>(kind: string, options: ListOptions = {}): Promise<ObjectList<T>> => {
      const items: T[] = [];
      let page = await pageOf<T>(calls, kind, options);
      for (const item of page.items) items.push(item);
      while (page.continue !== undefined) {
        page = await pageOf<T>(calls, kind, { ...options, continue: page.continue });
        for (const item of page.items) items.push(item);
      }
      return { items, resourceVersion: page.resourceVersion };
    },
    listPage: <T extends KubeObject>(kind: string, options: PageOptions = {}) => pageOf<T>(calls, kind, options),
    watch: <T extends KubeObject>(kind: string, options: WatchOptions = {}) => watchEvents<T>(calls, kind, options),
  };
};
