import { classifyNetworkError } from '../client/classify.ts';
import type { KubeError } from '../client/kube-error.ts';
import { yieldToEventLoop } from '../clock/in-slices.ts';
import { isFailure } from '../failure/failures.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { keyOf } from '../objects/object-key.ts';
import { backoffMs } from '../queue/backoff.ts';
import {
  idleListWatch,
  type ListWatchAction,
  type ListWatchEvent,
  type ListWatchRequest,
  type ListWatchState,
  nextListWatch,
} from './list-watch.ts';
import type { ListWatchArrival, ListWatchRun } from './list-watch-run.ts';
import { requestEvents } from './request-events.ts';

const RECONNECT_BACKOFF = { baseMs: 500, maxMs: 30_000 };
const EVENTS_PER_TURN = 64;

/** Does what one action says with what arrived. */
const act = async <T extends KubeObject>(
  run: ListWatchRun<T>,
  action: ListWatchAction,
  { objects = [], isDeletion }: ListWatchArrival<T>,
): Promise<void> => {
  const { contents, seen } = run;
  switch (action.type) {
    case 'stage':
      objects.forEach(isDeletion === true ? contents.unstage : contents.stage);
      return;
    case 'discard':
      contents.discard();
      return;
    case 'commit':
      await contents.commit();
      seen(action.resourceVersion);
      run.onSynced();
      return;
    case 'clear':
      await contents.commit();
      run.onSynced();
      return;
    case 'apply':
      objects.forEach(isDeletion === true ? contents.delete : contents.set);
      seen(action.resourceVersion);
      return;
    case 'seen':
      seen(action.resourceVersion);
  }
};

const isListing = ({ name }: ListWatchState): boolean => name === 'listing' || name === 'streaming';

/** Reports what is read whole: the process may end meanwhile. */
const reportList = <T extends KubeObject>(
  { kind, onList }: ListWatchRun<T>,
  { before, state, request }: { readonly before: ListWatchState; readonly state: ListWatchState; readonly request?: ListWatchRequest },
  { objects }: ListWatchArrival<T>,
): void => {
  const last = objects?.at(-1);
  if (isListing(state) && request !== undefined) onList?.(kind, { isListing: true, ...(last && { last: keyOf(last) }) });
  else if (isListing(before) && !isListing(state)) onList?.(kind, { isListing: false });
};

const delayMs = (failures: number, random: () => number): number => backoffMs(failures, RECONNECT_BACKOFF) * (1 + random() / 2);

async function* waitEvents<T>(run: ListWatchRun<T>, failures: number): AsyncGenerator<ListWatchArrival<T>> {
  await run.clock.sleep(delayMs(failures, run.random ?? Math.random), run.signal);
  yield { type: 'waited' };
}

const NOT_SERVED = 'the API server does not serve this kind: nothing follows from it until its CustomResourceDefinition is applied';
const FORBIDDEN = 'a role is missing: nothing follows from this kind until it may be listed and watched';

/** Logs once that an optional kind is not served or forbidden, and once that it is served. */
const absenceLog = ({ kind, logger, isOptional }: Pick<ListWatchRun<never>, 'kind' | 'logger' | 'isOptional'>) => {
  const level = isOptional === 'usually-absent' ? 'debug' : 'warn';
  let isAbsent = false;
  return (event: ListWatchEvent): void => {
    if (event.type === 'absent' && !isAbsent) {
      isAbsent = true;
      if (event.isForbidden === true) logger.warn(FORBIDDEN, { kind });
      else logger[level](NOT_SERVED, { kind });
    } else if (isAbsent && (event.type === 'page' || event.type === 'bookmark')) {
      isAbsent = false;
      logger.info('the API server serves this kind now', { kind });
    }
  };
};

/** Drives the state machine of `list-watch.ts` until the signal is aborted. */
export const runListWatch = async <T extends KubeObject>(run: ListWatchRun<T>): Promise<void> => {
  const { signal, kind } = run;
  let state: ListWatchState = idleListWatch(run.initialRead ?? 'pages');
  let arrived = 0;
  const ask = requestEvents(run);
  const logAbsence = absenceLog(run);

  const take = async (arrival: ListWatchArrival<T>): Promise<ListWatchRequest | undefined> => {
    logAbsence(arrival);
    const before = state;
    const step = nextListWatch(state, arrival);
    state = step.state;
    for (const action of step.actions) await act(run, action, arrival);
    reportList(run, { before, ...step }, arrival);
    arrived += 1;
    if (arrived % EVENTS_PER_TURN === 0) await yieldToEventLoop();
    return step.request;
  };

  const trouble = (failure: KubeError, livedMs: number): ListWatchEvent => {
    const { code } = failure;
    if (run.isOptional !== undefined && run.isOptional !== false && code === 'not-found') return { type: 'absent' };
    if (run.isOptional === 'usually-absent' && code === 'forbidden') return { type: 'absent', isForbidden: true };
    run.logger.warn('following a kind was interrupted', { kind, code, failures: state.failures + 1, error: failure });
    run.onTrouble?.(failure);
    return { type: 'failed', code, livedMs };
  };

  /** Serves one request to the event that asks for the next one. */
  const serve = async (request: ListWatchRequest): Promise<ListWatchRequest | undefined> => {
    const startedAtMs = run.clock.now();
    try {
      for await (const arrival of request.type === 'wait' ? waitEvents(run, request.failures) : ask(request)) {
        const next = await take(arrival);
        if (next !== undefined) return next;
      }
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isFailure(error)) throw error;
      const failure = classifyNetworkError(error, `${request.type} ${kind}`);
      return take(trouble(failure, request.type === 'watch' ? run.clock.now() - startedAtMs : 0));
    }
    return undefined;
  };

  let request = await take({ type: 'started' });
  while (request !== undefined && !signal.aborted) request = await serve(request);
  await take({ type: 'stopped' });
};
