import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { Backoff } from './backoff.ts';

test('waits twice as long after each failure, up to the longest, and never less than the other side asks', () => {
  const backoff = new Backoff(fakeClock(), { baseMs: 1000, maxMs: 4000 });
  expect(Array.from({ length: 4 }, () => backoff.failed('a'))).toEqual([1000, 2000, 4000, 4000]);
  expect(backoff.failed('b', 9000)).toBe(9000);
  expect(backoff.remainingMs('a')).toBe(4000);
});

test('keys that end without a word are not remembered for ever', async () => {
  const clock = fakeClock();
  const backoff = new Backoff(clock, { baseMs: 1000, maxMs: 4000 });
  for (let claim = 0; claim < 100; claim++) {
    backoff.failed(String(claim));
    await clock.advance(4000);
  }
  expect(backoff.size).toBeLessThan(15);
});
