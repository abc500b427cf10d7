import type { KubeErrorCode } from '../client/kube-error.ts';

/** How the first contents come: pages of a list, or a watch that begins with every object (WatchList). */
export type InitialRead = 'pages' | 'stream';

/**
 * Where a list-watch stands. `failures` counts what went wrong in a row; a watch that lives for a while sets it back.
 *
 * - `idle`: nothing was requested yet.
 * - `listing`: a page was requested; the pages before it are staged, and nobody sees them yet.
 * - `streaming`: a watch sends every object; they are staged until the mark that all were sent.
 * - `watching`: the contents are complete up to `resourceVersion`, and changes are applied as they come.
 * - `waiting`: something went wrong; after the wait it goes on from `resourceVersion`, or with a fresh read where there
 * is none.
 * - `stopped`: the owner ended it; nothing leads out of here.
 */
export type ListWatchState = { readonly initialRead: InitialRead; readonly failures: number } & (
  | { readonly name: 'idle' }
  | { readonly name: 'listing' }
  | { readonly name: 'streaming' }
  /** `since`: the version that the watch began at. */
  | { readonly name: 'watching'; readonly resourceVersion: string; readonly since: string }
  | { readonly name: 'waiting'; readonly resourceVersion?: string }
  | { readonly name: 'stopped' }
);

/** What happens to a list-watch. Objects themselves stay with the shell. */
export type ListWatchEvent =
  | { readonly type: 'started' }
  | { readonly type: 'page'; readonly resourceVersion: string; readonly continue?: string }
  | { readonly type: 'change'; readonly resourceVersion: string }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  /** The server ended the watch in good order. */
  | { readonly type: 'ended'; readonly livedMs: number }
  /** `livedMs` is 0 for a call that was no watch. */
  | { readonly type: 'failed'; readonly code: KubeErrorCode; readonly livedMs: number }
  /** The server does not serve the kind, or forbids it, and the kind is optional. */
  | { readonly type: 'absent'; readonly isForbidden?: boolean }
  | { readonly type: 'waited' }
  | { readonly type: 'stopped' };

/** Work that ends in further events; at most one is under way, and the next one aborts the one before. */
export type ListWatchRequest =
  | { readonly type: 'page'; readonly continue?: string }
  | { readonly type: 'watch'; readonly resourceVersion?: string }
  | { readonly type: 'wait'; readonly failures: number };

/**
 * What to do with what just came, at once. `stage` keeps it aside, `discard` forgets all that is staged, `commit` makes
 * the staged objects the contents. `clear` empties the contents, `apply` changes them, `seen` says how far they reach.
 */
export type ListWatchAction =
  | { readonly type: 'stage' }
  | { readonly type: 'discard' }
  | { readonly type: 'commit'; readonly resourceVersion: string }
  | { readonly type: 'clear' }
  | { readonly type: 'apply'; readonly resourceVersion: string }
  | { readonly type: 'seen'; readonly resourceVersion: string };

/** A step: the new state, what to do now, and what to ask for next; without `request` what is under way goes on. */
export interface ListWatchStep {
  readonly state: ListWatchState;
  readonly actions: readonly ListWatchAction[];
  readonly request?: ListWatchRequest;
}

/** A watch that lived so long was healthy: what comes after it is a first failure again. */
export const STABLE_WATCH_MS = 5_000;

/** After so many failed watches in a row the version itself is suspect (a restored etcd), and a fresh read is made. */
const WATCH_FAILURES_BEFORE_RELIST = 5;

/** The state before anything happened. */
export const idleListWatch = (initialRead: InitialRead): ListWatchState => ({ name: 'idle', initialRead, failures: 0 });

const read = ({ initialRead, failures }: ListWatchState): ListWatchStep =>
  initialRead === 'stream'
    ? { state: { name: 'streaming', initialRead, failures }, actions: [], request: { type: 'watch' } }
    : { state: { name: 'listing', initialRead, failures }, actions: [], request: { type: 'page' } };

const watch = ({ initialRead, failures }: ListWatchState, resourceVersion: string): ListWatchStep => ({
  state: { name: 'watching', initialRead, failures, resourceVersion, since: resourceVersion },
  actions: [],
  request: { type: 'watch', resourceVersion },
});

const unchanged = (state: ListWatchState): ListWatchStep => ({ state, actions: [] });

/** Every trouble ends here: wait, longer each time, then go on. */
const wait = (state: ListWatchState, livedMs: number, resourceVersion: string | undefined): ListWatchStep => {
  const failures = (livedMs >= STABLE_WATCH_MS ? 0 : state.failures) + 1;
  const keepsVersion = resourceVersion !== undefined && failures < WATCH_FAILURES_BEFORE_RELIST;
  return {
    state: { name: 'waiting', initialRead: state.initialRead, failures, ...(keepsVersion ? { resourceVersion } : {}) },
    actions: [{ type: 'discard' }],
    request: { type: 'wait', failures },
  };
};

/** A kind that is not served has no objects. Retries with backoff: its CustomResourceDefinition may be installed later. */
const absent = (state: ListWatchState): ListWatchStep => {
  const step = wait(state, 0, undefined);
  return { ...step, actions: [...step.actions, { type: 'clear' }] };
};

const whileListing = (state: ListWatchState, event: ListWatchEvent): ListWatchStep => {
  switch (event.type) {
    case 'page':
      if (event.continue !== undefined) return { state, actions: [{ type: 'stage' }], request: { type: 'page', continue: event.continue } };
      return {
        ...watch(state, event.resourceVersion),
        actions: [{ type: 'stage' }, { type: 'commit', resourceVersion: event.resourceVersion }],
      };
    case 'failed':
      return wait(state, 0, undefined);
    case 'absent':
      return absent(state);
    default:
      return unchanged(state);
  }
};

/** A stream that is refused, or ends before its mark, is not tried again: the server does not know it. */
const whileStreaming = (state: ListWatchState, event: ListWatchEvent): ListWatchStep => {
  switch (event.type) {
    case 'change':
      return { state, actions: [{ type: 'stage' }] };
    case 'bookmark': {
      if (!event.initialEventsEnd) return unchanged(state);
      const { initialRead, failures } = state;
      const { resourceVersion } = event;
      return {
        state: { name: 'watching', initialRead, failures, resourceVersion, since: resourceVersion },
        actions: [{ type: 'commit', resourceVersion }],
      };
    }
    case 'ended':
      return wait({ ...state, initialRead: 'pages' }, 0, undefined);
    case 'failed':
      return wait(event.code === 'invalid' ? { ...state, initialRead: 'pages' } : state, 0, undefined);
    case 'absent':
      return absent(state);
    default:
      return unchanged(state);
  }
};

const whileWatching = (state: ListWatchState & { readonly name: 'watching' }, event: ListWatchEvent): ListWatchStep => {
  switch (event.type) {
    case 'change':
      return {
        state: { ...state, resourceVersion: event.resourceVersion },
        actions: [{ type: 'apply', resourceVersion: event.resourceVersion }],
      };
    case 'bookmark':
      return {
        state: { ...state, resourceVersion: event.resourceVersion },
        actions: [{ type: 'seen', resourceVersion: event.resourceVersion }],
      };
    case 'ended':
      // A server ends the watches of clients that read slowly. Waiting while events are due would only make the cache
      // staler.
      return event.livedMs >= STABLE_WATCH_MS || state.resourceVersion !== state.since
        ? watch({ ...state, failures: 0 }, state.resourceVersion)
        : wait(state, event.livedMs, state.resourceVersion);
    case 'failed':
      return wait(state, event.livedMs, event.code === 'expired' ? undefined : state.resourceVersion);
    case 'absent':
      return absent(state);
    default:
      return unchanged(state);
  }
};

const whileWaiting = (state: ListWatchState & { readonly name: 'waiting' }, event: ListWatchEvent): ListWatchStep => {
  if (event.type !== 'waited') return unchanged(state);
  return state.resourceVersion === undefined ? read(state) : watch(state, state.resourceVersion);
};

/** What one event does to a list-watch. Pure; nothing but `stopped` ever stops it. */
export const nextListWatch = (state: ListWatchState, event: ListWatchEvent): ListWatchStep => {
  if (event.type === 'stopped') {
    return { state: { name: 'stopped', initialRead: state.initialRead, failures: state.failures }, actions: [{ type: 'discard' }] };
  }
  switch (state.name) {
    case 'idle':
      return event.type === 'started' ? read(state) : unchanged(state);
    case 'listing':
      return whileListing(state, event);
    case 'streaming':
      return whileStreaming(state, event);
    case 'watching':
      return whileWatching(state, event);
    case 'waiting':
      return whileWaiting(state, event);
    case 'stopped':
      return unchanged(state);
  }
};
