import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ReplacementBackoff } from './replacement-backoff.ts';

const MINUTE_MS = 60_000;

test('the wait grows with each failure of a machine up to a quarter of an hour, and others are not concerned', () => {
  const clock = fakeClock();
  const backoff = new ReplacementBackoff(clock);
  const waits = Array.from({ length: 7 }, (_, index) => {
    backoff.failed('claim/a', { commandId: `${index}`, why: 'replacement-gone' });
    return ((backoff.of('claim/a')?.untilMs ?? 0) - clock.now()) / MINUTE_MS;
  });
  expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
  expect(backoff.of('claim/a')).toMatchObject({ why: 'replacement-gone', times: 7 });
  expect(backoff.of('claim/b')).toBeUndefined();
});

test('a machine that is forgotten begins with the shortest wait again', () => {
  const backoff = new ReplacementBackoff(fakeClock());
  backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
  backoff.forget('claim/a');
  expect(backoff.of('claim/a')).toBeUndefined();
  backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
  expect(backoff.of('claim/a')?.times).toBe(1);
});

test('a command that is abandoned twice, because a write failed half-way, counts once', () => {
  const backoff = new ReplacementBackoff(fakeClock());
  backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
  backoff.failed('claim/a', { commandId: '1', why: 'timeout' });
  expect(backoff.of('claim/a')?.times).toBe(1);
});
