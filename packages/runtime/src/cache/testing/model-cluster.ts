import type { KubeClient, ObjectPage } from '../../client/verbs/kube-client.ts';
import { KubeError, type KubeErrorCode } from '../../client/kube-error.ts';
import type { WatchEvent } from '../../client/verbs/watch-event.ts';
import { type Subscription, subscription } from './model-subscription.ts';
import { type ModelThings, modelThings, type Thing } from './model-things.ts';

/** An API server of one kind, in memory, that a test can break. */
export interface ModelCluster {
  readonly client: Pick<KubeClient, 'listPage' | 'watch'>;
  readonly things: ReadonlyMap<string, Thing>;
  readonly version: string;
  readonly calls: readonly string[];
  put(name: string, value: number): void;
  remove(name: string): void;
  /** Open watches end, with an error or in good order; events in between are kept. */
  breakWatches(code?: KubeErrorCode): void;
  /** Versions before now can no longer be watched. */
  compact(): void;
  /** How the next calls end, one each, `undefined` for well; replaces what was planned before. */
  failNext(...codes: readonly (KubeErrorCode | undefined)[]): void;
  bookmark(): void;
  /**
   * While the watch cache is behind, a stream of initial events goes on with changes; the mark that all were sent comes
   * when it caught up.
   */
  lag(isBehind: boolean): void;
}

const PAGE = 3;

const failureOf = (code: KubeErrorCode): KubeError => new KubeError(`the model says ${code}`, { code, cause: undefined });

const bookmarkOf = ({ version }: ModelThings, initialEventsEnd: boolean): WatchEvent<Thing> => ({
  type: 'bookmark',
  resourceVersion: String(version),
  initialEventsEnd,
});

const initialEvents = (model: ModelThings, isComplete: boolean): readonly WatchEvent<Thing>[] => [
  ...[...model.things.values()].map((object): WatchEvent<Thing> => ({ type: 'added', object })),
  ...(isComplete ? [bookmarkOf(model, true)] : []),
];

const pastEvents = (model: ModelThings, from: string | undefined, isLagging: boolean): readonly WatchEvent<Thing>[] =>
  from === undefined ? initialEvents(model, !isLagging) : model.since(Number(from));

const pageOf = ({ things, version }: ModelThings, from: number): ObjectPage<Thing> => ({
  items: [...things.values()].slice(from, from + PAGE),
  resourceVersion: String(version),
  ...(from + PAGE < things.size ? { continue: String(from + PAGE) } : {}),
});

/** Calls are written down, and fail as planned. */
const plannedCalls = () => {
  const calls: string[] = [];
  const failures: (KubeErrorCode | undefined)[] = [];
  const call = (text: string): void => {
    calls.push(text);
    const code = failures.shift();
    if (code !== undefined) throw failureOf(code);
  };
  return { calls, failures, call };
};

const writesOf = (model: ModelThings): Pick<ModelCluster, 'put' | 'remove'> => ({
  put: (name, value) => model.put(name, value),
  remove: (name) => model.remove(name),
});

/** A cluster without things. */
export const modelCluster = (): ModelCluster => {
  const watchers = new Set<Subscription<WatchEvent<Thing>>>();
  const { calls, failures, call } = plannedCalls();
  let compactedTo = 0;
  let isLagging = false;
  const notify = (event: WatchEvent<Thing>): void => watchers.forEach((watcher) => watcher.push(event));
  const model = modelThings(notify);

  const watch = async function* (from: string | undefined, signal: AbortSignal | undefined): AsyncGenerator<WatchEvent<Thing>> {
    call(`watch ${from ?? 'all'}`);
    if (from !== undefined && Number(from) < compactedTo) throw failureOf('expired');
    const watcher = subscription<WatchEvent<Thing>>(signal);
    pastEvents(model, from, isLagging).forEach((event) => watcher.push(event));
    watchers.add(watcher);
    try {
      yield* watcher.events;
    } finally {
      watchers.delete(watcher);
    }
  };

  return {
    client: {
      listPage: async (_kind, { continue: token } = {}) => {
        await Promise.resolve();
        call(token === undefined ? 'list' : `list from ${token}`);
        return pageOf(model, Number(token ?? 0)) as ObjectPage<never>;
      },
      watch: (_kind, options = {}) => watch(options.resourceVersion, options.signal) as AsyncGenerator<never>,
    },
    things: model.things,
    get version() {
      return String(model.version);
    },
    calls,
    ...writesOf(model),
    breakWatches(code) {
      for (const watcher of watchers) watcher.end(code === undefined ? undefined : failureOf(code));
      watchers.clear();
    },
    compact: () => void (compactedTo = model.version),
    failNext: (...codes) => void failures.splice(0, failures.length, ...codes),
    lag: (isBehind) => {
      isLagging = isBehind;
      if (!isBehind) notify(bookmarkOf(model, true));
    },
    bookmark() {
      model.pass();
      notify(bookmarkOf(model, false));
    },
  };
};
