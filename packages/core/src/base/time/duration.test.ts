import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationMs, durationOrNeverMs, formatDuration } from './time-text.ts';

describe('Go durations', () => {
  test.each([
    ['0', 0],
    ['0s', 0],
    ['30m', 1_800_000],
    ['720h', 2_592_000_000],
    ['1h30m0.5s', 5_400_500],
    ['-2m', -120_000],
    ['.5h', 1_800_000],
    ['1500ms', 1500],
  ])('%s is %d ms', (text, ms) => expect(durationMs(text)).toBe(ms));

  test.each(['', '5', '1d', 'm', '1h 30m', 'Never', '--1s', '1.s.'])('"%s" is none', (text) => expect(durationMs(text)).toBeUndefined());

  // As Go 1.25 answers; 20,000 random texts were compared with it.
  test.each([
    ['2562047h47m16.854775807s', 9_223_372_036_854.775],
    ['-2562047h47m16.854775808s', -9_223_372_036_854.775],
    ['000000000000000000000000001h', 3_600_000],
    ['0.99999999999999999999999999ms', 0.999_999],
  ])('at the edge of the range, %s is %d ms', (text, ms) => expect(durationMs(text)).toBeCloseTo(ms, 2));

  test.each(['2562047h47m16.854775808s', '-2562047h47m16.854775809s', '9999999999h', '9223372036854775808ns', `${'9'.repeat(100_000)}h`])(
    'beyond 292 years: %.40s is none',
    (text) => expect(durationMs(text)).toBeUndefined(),
  );

  test.each([50, 51, 130_000])('a text of more than 100 characters is none, which takes no time to find out: 0h %d times', (times) =>
    expect(durationMs('0h'.repeat(times))).toBe(times > 50 ? undefined : 0),
  );

  test('Never is a time that does not come', () => expect(durationOrNeverMs('Never')).toBe(Number.POSITIVE_INFINITY));

  test.each([
    [0, '0s'],
    [1500, '1.5s'],
    [60_000, '1m0s'],
    [5_400_000, '1h30m0s'],
    [-120_000, '-2m0s'],
    [Number.POSITIVE_INFINITY, 'Never'],
  ])('%d ms is written %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  test('what is written reads back', () => {
    fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => expect(durationMs(formatDuration(ms))).toBeCloseTo(ms, 3)));
  });
});
