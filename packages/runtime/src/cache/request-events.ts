import type { WatchEvent } from '../client/verbs/watch-event.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ListWatchRequest } from './list-watch.ts';
import { type PageReader, pageReader } from './page-reader.ts';
import type { ListWatchArrival, ListWatchRun } from './list-watch-run.ts';

/** The server ends a watch after 5 to 10 minutes, each at another time, so that load spreads over API servers. */
const SHORTEST_WATCH_SECONDS = 300;

/** A watch that outlives its own time limit hangs on a dead connection. */
const OVERTIME_MS = 30_000;

const arrivalOf = <T extends KubeObject>(event: WatchEvent<T>): ListWatchArrival<T> => {
  if (event.type === 'bookmark') return event;
  const { resourceVersion = '' } = event.object.metadata;
  return { type: 'change', resourceVersion, objects: [event.object], isDeletion: event.type === 'deleted' };
};

async function* pageEvents<T extends KubeObject>(readPage: PageReader<T>, token: string | undefined): AsyncGenerator<ListWatchArrival<T>> {
  const page = await readPage(token);
  yield {
    type: 'page',
    resourceVersion: page.resourceVersion,
    objects: page.items,
    ...(page.continue === undefined ? {} : { continue: page.continue }),
  };
}

async function* watchEvents<T extends KubeObject>(
  run: ListWatchRun<T>,
  resourceVersion: string | undefined,
): AsyncGenerator<ListWatchArrival<T>> {
  const { client, kind, selection, signal, clock, random = Math.random } = run;
  const timeoutSeconds = Math.round(SHORTEST_WATCH_SECONDS * (1 + random()));
  const overtime = new AbortController();
  const startedAtMs = clock.now();
  using _limit = clock.setTimeout(() => overtime.abort(), timeoutSeconds * 1000 + OVERTIME_MS);
  const version = resourceVersion === undefined ? { sendInitialEvents: true } : { resourceVersion };
  const anySignal = AbortSignal.any([signal, overtime.signal]);
  for await (const event of client.watch<T>(kind, { ...selection, ...version, timeoutSeconds, signal: anySignal })) yield arrivalOf(event);
  yield { type: 'ended', livedMs: clock.now() - startedAtMs };
}

/** Serves requests: what a page or a watch brings, until it ends or throws. */
export const requestEvents = <T extends KubeObject>(run: ListWatchRun<T>) => {
  const readPage = pageReader<T>(run.client, run.kind, { ...run.selection, signal: run.signal });
  return (request: Exclude<ListWatchRequest, { type: 'wait' }>): AsyncGenerator<ListWatchArrival<T>> =>
    request.type === 'page' ? pageEvents(readPage, request.continue) : watchEvents(run, request.resourceVersion);
};
