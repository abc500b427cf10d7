import { expect, test } from '@jest/globals';
import { fakeClock } from './fake-clock.ts';
import { systemClock } from './system-clock.ts';

test('timers fire in order of their time, those they set included, and promises settle in between', async () => {
  const clock = fakeClock(1_000);
  const log: string[] = [];
  const write = (text: string): void => void log.push(`${clock.now()} ${text}`);
  clock.setTimeout(() => write('late'), 300);
  clock.setTimeout(() => {
    write('first');
    void Promise.resolve().then(() => clock.setTimeout(() => write('set by first'), 50));
  }, 100);
  clock.setTimeout(() => write('second'), 100);
  await clock.advance(200);
  expect(log).toEqual(['1100 first', '1100 second', '1150 set by first']);
  expect([clock.now(), clock.pendingTimers]).toEqual([1_200, 1]);
});

test('a timer that is cancelled, or leaves its scope, does not fire', async () => {
  const clock = fakeClock();
  let fired = 0;
  clock.setTimeout(() => (fired += 1), 10).cancel();
  {
    using _timer = clock.setTimeout(() => (fired += 1), 10);
  }
  await clock.advance(100);
  expect([fired, clock.pendingTimers]).toEqual([0, 0]);
});

test.each([
  ['fake', fakeClock()],
  ['system', systemClock],
])('a sleep on the %s clock rejects with the reason of its signal', async (_, clock) => {
  const controller = new AbortController();
  const sleeping = clock.sleep(1_000_000, controller.signal);
  controller.abort(new Error('wake up'));
  await expect(sleeping).rejects.toThrow('wake up');
  await expect(clock.sleep(1, controller.signal)).rejects.toThrow('wake up');
});

test('the system clock takes longer delays than Node does', async () => {
  let hasFired = false;
  using _timer = systemClock.setTimeout(() => {
    hasFired = true;
  }, 2 ** 40);
  await systemClock.sleep(5);
  expect(hasFired).toBe(false);
});
