import { describe, expect, test } from '@jest/globals';
import { idleListWatch, type ListWatchEvent, type ListWatchStep, nextListWatch } from './list-watch.ts';

const after = (...events: readonly ListWatchEvent[]): ListWatchStep =>
  events.reduce<ListWatchStep>((step, event) => nextListWatch(step.state, event), { state: idleListWatch('pages'), actions: [] });

const listed: readonly ListWatchEvent[] = [{ type: 'started' }, { type: 'page', resourceVersion: '10' }];

describe('a watch that the server ends in good order after less than a second', () => {
  test('goes on at once where it had brought something: waiting left caches stale for seconds, and every write met a conflict', () => {
    const { state, request } = after(...listed, { type: 'change', resourceVersion: '11' }, { type: 'ended', livedMs: 300 });
    expect(request).toEqual({ type: 'watch', resourceVersion: '11' });
    expect(state).toMatchObject({ name: 'watching', failures: 0 });
  });

  test('waits where it had brought nothing', () => {
    const { request } = after(...listed, { type: 'ended', livedMs: 300 });
    expect(request).toEqual({ type: 'wait', failures: 1 });
  });

  test('waits where the one before had brought something, and this one nothing', () => {
    const { request } = after(
      ...listed,
      { type: 'change', resourceVersion: '11' },
      { type: 'ended', livedMs: 300 },
      { type: 'ended', livedMs: 300 },
    );
    expect(request).toEqual({ type: 'wait', failures: 1 });
  });
});
