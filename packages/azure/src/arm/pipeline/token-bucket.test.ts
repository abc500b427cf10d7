import { expect, test } from '@jest/globals';
import { armTokenBucket } from './token-bucket.ts';

const aBucket = () => {
  const clock = { ms: 0, now: () => clock.ms };
  return { clock, bucket: armTokenBucket({ burst: 2, perSecond: 10 }, clock) };
};

test('the burst goes at once, the rest at the rate, each after the one before', () => {
  const { bucket } = aBucket();
  expect([1, 2, 3, 4].map(() => Math.round(bucket.takeMs()))).toEqual([0, 0, 100, 200]);
});

test('time fills it again, up to the burst', () => {
  const { bucket, clock } = aBucket();
  for (let i = 0; i < 3; i++) bucket.takeMs();
  clock.ms = 10_000;
  expect([1, 2, 3].map(() => Math.round(bucket.takeMs()))).toEqual([0, 0, 100]);
});

test('Retry-After closes it, and what the server has left caps it', () => {
  const { bucket, clock } = aBucket();
  bucket.closeFor(5000);
  expect(bucket.takeMs()).toBe(5000);
  clock.ms = 6000;
  bucket.cap(0);
  expect(bucket.takeMs()).toBe(100);
});
