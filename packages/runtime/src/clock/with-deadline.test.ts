import { describe, expect, test } from '@jest/globals';
import { fakeClock } from './fake-clock.ts';
import { withDeadline } from './with-deadline.ts';

const { signal } = new AbortController();

describe('a call with a deadline', () => {
  test('gives its answer in time, and leaves no timer behind', async () => {
    const clock = fakeClock();
    expect(await withDeadline({ clock, signal, afterMs: 100 }, () => Promise.resolve(7))).toEqual({ kind: 'done', value: 7 });
    expect(clock.pendingTimers).toBe(0);
  });

  test('is abandoned after it, also when it does not listen', async () => {
    const clock = fakeClock();
    const call = withDeadline({ clock, signal, afterMs: 100 }, () => new Promise<number>(() => undefined));
    await clock.advance(100);
    expect(await call).toEqual({ kind: 'late' });
  });

  test('aborts the call', async () => {
    const clock = fakeClock();
    let passed: AbortSignal | undefined;
    const call = withDeadline({ clock, signal, afterMs: 100 }, (inner) => {
      passed = inner;
      return new Promise<number>(() => undefined);
    });
    await clock.advance(100);
    await call;
    expect(passed?.aborted).toBe(true);
  });

  test('ends with its signal, also when it does not listen', async () => {
    const clock = fakeClock();
    const stopping = new AbortController();
    const call = withDeadline({ clock, signal: stopping.signal, afterMs: 100 }, () => new Promise<number>(() => undefined));
    stopping.abort(new Error('the process ends'));
    await expect(call).rejects.toThrow('the process ends');
    expect(clock.pendingTimers).toBe(0);
  });

  test('is not begun when its signal has aborted', async () => {
    const call = withDeadline({ clock: fakeClock(), signal: AbortSignal.abort(new Error('the process ends')), afterMs: 100 }, () =>
      Promise.resolve(7),
    );
    await expect(call).rejects.toThrow('the process ends');
  });

  test('fails as the call fails', async () => {
    const clock = fakeClock();
    await expect(withDeadline({ clock, signal, afterMs: 100 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
