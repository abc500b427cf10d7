import { expect, test } from '@jest/globals';
import { isTimeZone, wallClockMs } from './time-text.ts';

const wallClock = (moment: string, timeZone: string): string | undefined => {
  const ms = wallClockMs(Date.parse(moment), timeZone);
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
};

test.each([
  ['in winter, an hour later', '2026-01-12T06:30:00Z', 'Europe/Berlin', '2026-01-12T07:30'],
  ['in summer, two hours later', '2026-07-13T06:30:00Z', 'Europe/Berlin', '2026-07-13T08:30'],
  ['the day before', '2026-01-01T03:00:00Z', 'America/New_York', '2025-12-31T22:00'],
  ['at midnight, hour 0', '2026-01-12T23:00:00Z', 'Europe/Berlin', '2026-01-13T00:00'],
  ['half an hour off', '2026-01-12T00:00:00Z', 'Asia/Kolkata', '2026-01-12T05:30'],
  ['the same in UTC', '2026-01-12T06:30:00Z', 'UTC', '2026-01-12T06:30'],
])('a clock on the wall shows, %s', (...[, moment, timeZone, expected]) => expect(wallClock(moment, timeZone)).toBe(expected));

test('a zone that nobody knows shows nothing', () => {
  expect(wallClock('2026-01-12T06:30:00Z', 'Mars/Olympus')).toBeUndefined();
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([true, false, false]);
});
