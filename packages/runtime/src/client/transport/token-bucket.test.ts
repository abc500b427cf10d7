import { expect, test } from '@jest/globals';
import { fakeClock } from '../../clock/fake-clock.ts';
import { tokenBucket, TokenLevel } from './token-bucket.ts';

test('a burst goes at once, the rest at the rate, in order', async () => {
  const clock = fakeClock();
  const bucket = tokenBucket(clock, { perSecond: 10, burst: 3 });
  const passed: number[] = [];
  for (let each = 0; each < 6; each += 1) void bucket.take().then(() => void passed.push(each));
  await clock.advance(0);
  expect(passed).toEqual([0, 1, 2]);
  await clock.advance(100);
  expect(passed).toEqual([0, 1, 2, 3]);
  await clock.advance(200);
  expect(passed).toEqual([0, 1, 2, 3, 4, 5]);
});

test('one that aborts returns its place', async () => {
  const clock = fakeClock();
  const bucket = tokenBucket(clock, { perSecond: 1, burst: 1 });
  await bucket.take();
  const controller = new AbortController();
  const abandoned = bucket.take(controller.signal);
  controller.abort(new Error('enough'));
  await expect(abandoned).rejects.toThrow('enough');
  await clock.advance(1_000);
  expect(bucket.tryTake()).toBe(true);
  expect(bucket.tryTake()).toBe(false);
});

test('a level that is paused refills only after the pause, and one that is capped keeps the fewer', async () => {
  const clock = fakeClock();
  const level = new TokenLevel(clock, { perSecond: 10, burst: 3 });
  level.pauseFor(1000);
  expect([level.pausedMs, level.left, level.takeMs(), level.takeMs()]).toEqual([1000, 1, 1000, 1100]);
  await clock.advance(1200);
  expect([level.pausedMs, level.left, level.tryTakeMs(), level.tryTakeMs()]).toEqual([0, 1, 0, 100]);
  await clock.advance(10_000);
  level.cap(5);
  expect(level.left).toBe(3);
  level.cap(1);
  expect(level.left).toBe(1);
});
