import { describe, expect, test } from '@jest/globals';
import { isCronSchedule, isInCronWindow } from './cron.ts';

const HOUR = 3_600_000;
const msOf = (text: string): number => Date.parse(text);

describe('a window that a schedule opens', () => {
  test.each([
    ['on the hit', '0 9 * * 1-5', '2026-11-20T09:00:00Z', true],
    ['within its duration', '0 9 * * 1-5', '2026-11-20T16:59:59Z', true],
    ['not at its very end', '0 9 * * 1-5', '2026-11-20T17:00:00Z', false],
    ['not a second before', '0 9 * * 1-5', '2026-11-20T08:59:59Z', false],
    ['not on other days', '0 9 * * 1-5', '2026-11-21T10:00:00Z', false],
    ['over midnight', '0 20 * * *', '2026-11-21T03:30:00Z', true],
    ['by nickname', '@daily', '2026-11-21T07:59:00Z', true],
    ['by another nickname', '@midnight', '2026-11-21T08:00:00Z', false],
    ['on the first of the month', '0 0 1 * *', '2026-02-01T01:00:00Z', true],
    ['by names of days', '0 9 * * mon', '2026-11-23T09:30:00Z', true],
    ['on either day when both are named', '0 0 13 * 5', '2026-11-20T01:00:00Z', true],
  ])('%s', (...[, schedule, now, open]) => expect(isInCronWindow(schedule, 8 * HOUR, msOf(now))).toBe(open));

  test('a day that never comes opens nothing', () => expect(isInCronWindow('0 0 30 2 *', HOUR, msOf('2026-11-21T00:00:00Z'))).toBe(false));

  test('the clock on the wall is not asked', () =>
    expect([
      isInCronWindow('0 0 1 1 *', HOUR, msOf('1999-01-01T00:30:00Z')),
      isInCronWindow('0 0 1 1 *', HOUR, msOf('2199-01-01T00:30:00Z')),
    ]).toEqual([true, true]));
});

test('lists of all numbers in each field are a schedule; a text of more than 1,000 characters is not', () => {
  const listOf = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, index) => from + index).join();
  const all = [listOf(0, 59), listOf(0, 23), listOf(1, 31), listOf(1, 12), listOf(0, 6)].join(' ');
  expect(isCronSchedule(all)).toBe(true);
  expect(isCronSchedule(all.replace('0,', '0,'.repeat(400)))).toBe(false);
});

test.each(['', '* * * *', '* * * * * *', '61 * * * *', '@reboot', 'whenever', '0 0 L * *', '0 0 15W * *', '0 0 * * 5#2'])(
  '"%s" is no schedule',
  (text) => {
    expect(isCronSchedule(text)).toBe(false);
    expect(isInCronWindow(text, HOUR, 0)).toBeUndefined();
  },
);
