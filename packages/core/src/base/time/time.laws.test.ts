import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationMs, epochMsOf, timestampOf } from './time-text.ts';

/** About 292 years: what an int64 of nanoseconds holds. */
const RANGE_MS = 2 ** 63 / 1e6;
const unit = fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h');
const amount = fc.oneof(fc.stringMatching(/^\d{1,30}$/), fc.stringMatching(/^\d{0,8}\.\d{1,40}$/));
const part = fc.tuple(amount, unit).map(([text, name]) => `${text}${name}`);
const duration = fc
  .tuple(fc.constantFrom('', '-', '+'), fc.array(part, { minLength: 1, maxLength: 4 }))
  .map(([sign, parts]) => sign + parts.join(''));

describe('a duration from outside', () => {
  test('is within the range of Go, or none', () => {
    fc.assert(
      fc.property(duration, (text) => {
        const ms = durationMs(text);
        expect(ms === undefined || Math.abs(ms) <= RANGE_MS).toBe(true);
      }),
    );
  });

  test('plus any moment that a timestamp can hold makes a timestamp', () => {
    fc.assert(
      fc.property(duration, fc.date({ noInvalidDate: true }), (text, start) => {
        const written = timestampOf(start.getTime() + (durationMs(text) ?? 0));
        expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(epochMsOf(written)).toBeDefined();
      }),
    );
  });
});

test('a timestamp within the years 0 to 9999 reads back to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }), (seconds) =>
      expect(epochMsOf(timestampOf(seconds * 1000))).toBe(seconds * 1000),
    ),
  );
});

test('any number but NaN makes a timestamp', () => {
  fc.assert(fc.property(fc.double({ noNaN: true }), (ms) => expect(epochMsOf(timestampOf(ms))).toBeDefined()));
});

test('a text that is longer than any timestamp is not read', () => {
  expect(epochMsOf('2026-01-01T00:00:00Z')).toBe(Date.UTC(2026, 0, 1));
  expect(epochMsOf('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(Date.UTC(2026, 0, 1));
  expect(epochMsOf(`2026-01-01T00:00:00Z${' '.repeat(100)}`)).toBeUndefined();
});
