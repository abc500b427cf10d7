import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { RateLimiter } from './rate-limiter.ts';

const takeMany = (limiter: RateLimiter, count: number) => Array.from({ length: count }, () => limiter.take('writes'));

test('200 writes pass at once, then ten a second', async () => {
  const clock = fakeClock();
  const limiter = new RateLimiter(clock, true);
  expect(takeMany(limiter, 200).at(-1)).toEqual({ remaining: 0, retryAfterSeconds: undefined });
  expect(limiter.take('writes')).toEqual({ remaining: 0, retryAfterSeconds: 1 });
  expect(limiter.take('deletes')).toMatchObject({ retryAfterSeconds: undefined });
  await clock.advance(1_000);
  expect(takeMany(limiter, 11).filter((verdict) => verdict.retryAfterSeconds === undefined)).toHaveLength(10);
});

test('AKS takes sixty at once, then one a second', async () => {
  const clock = fakeClock();
  const limiter = new RateLimiter(clock, true);
  const passed = (count: number) =>
    Array.from({ length: count }, () => limiter.take('aks')).filter((each) => !each.retryAfterSeconds).length;
  expect(passed(70)).toBe(60);
  await clock.advance(1_000);
  expect(passed(70)).toBe(1);
});

test('switched off it lets everything pass and says that plenty is left', () => {
  const limiter = new RateLimiter(fakeClock(), false);
  expect(takeMany(limiter, 300).at(-1)).toEqual({ remaining: 199, retryAfterSeconds: undefined });
});
