import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationMs, durationOrNeverMs, formatDuration } from './duration.ts';

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
