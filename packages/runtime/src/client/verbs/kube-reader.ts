import type { KubeObject } from '../../objects/kube-object.ts';
import type { ObjectKey } from '../../objects/object-key.ts';
import { classifyResponse } from '../classify.ts';
import { decodeWatchEvent, linesOf, type WatchEvent } from './watch-event.ts';
import { KubeError } from '../kube-error.ts';
import { acceptedBody, foundBody, type KindCalls, withTypes } from './kind-calls.ts';
import type { KubeCallOptions } from '../call-options.ts';
import type { KubeClient, ListOptions, ObjectList, ObjectPage, PageOptions, WatchOptions } from './kube-client.ts';
import { collectionPath, objectPath } from './resource-path.ts';

const PAGE_SIZE = 500;

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

const pageOf = async <T extends KubeObject>(calls: KindCalls, kindName: string, options: PageOptions): Promise<ObjectPage<T>> => {
  const { namespace, signal, ...query } = options;
  const kind = calls.kindOf(kindName);
  const path = collectionPath(kind, namespace);
  const answer = await calls.transport.send({
    method: 'GET',
    path,
    operation: `list ${kindName}`,
    query: { limit: PAGE_SIZE, ...query },
    signal,
  });
  const { items, metadata } = acceptedBody(answer) as RawList;
  // Taken for an empty list, an answer that is none would make everything seem to be gone.
  if (metadata?.resourceVersion === undefined)
    throw new KubeError(`list ${kindName}: the answer is no list`, { code: 'malformed', status: answer.status, cause: answer.body });
  const next = metadata.continue;
  return {
    items: withTypes(kind, items ?? []) as readonly T[],
    resourceVersion: metadata.resourceVersion,
    ...(next === undefined || next === '' ? {} : { continue: next }),
  };
};

const objectAt =
  ({ transport, kindOf }: KindCalls) =>
  async (kind: string, key: ObjectKey, { signal }: KubeCallOptions = {}): Promise<unknown> =>
    foundBody(await transport.send({ method: 'GET', path: objectPath(kindOf(kind), key), operation: `get ${kind}`, signal }));

/** The verbs that read. */
export const kubeReader = (calls: KindCalls): Pick<KubeClient, 'get' | 'list' | 'listPage' | 'watch'> => ({
  get: objectAt(calls) as KubeClient['get'],
  list: async <T extends KubeObject>(kind: string, options: ListOptions = {}): Promise<ObjectList<T>> => {
    const items: T[] = [];
    let page = await pageOf<T>(calls, kind, options);
    items.push(...page.items);
    while (page.continue !== undefined) {
      page = await pageOf<T>(calls, kind, { ...options, continue: page.continue });
      items.push(...page.items);
    }
    return { items, resourceVersion: page.resourceVersion };
  },
  listPage: <T extends KubeObject>(kind: string, options: PageOptions = {}) => pageOf<T>(calls, kind, options),
  watch: <T extends KubeObject>(kind: string, options: WatchOptions = {}) => watchEvents<T>(calls, kind, options),
});
