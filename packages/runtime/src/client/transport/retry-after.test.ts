import { expect, test } from '@jest/globals';
import { parseRetryAfter } from './retry-after.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['seconds', '12', 12_000],
  ['seconds with a fraction, as some gateways write them', ' 1.5 ', 1500],
  ['an endless number of seconds, as an hour', '9'.repeat(400), 3_600_000],
  ['a date in a thousand years, as an hour', 'Wed, 01 Jan 3026 00:00:00 GMT', 3_600_000],
  ['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['a date that has passed', 'Wed, 31 Dec 2025 23:59:30 GMT', 0],
  ['nothing', undefined, undefined],
  ['an empty text', '', undefined],
  ['words', 'soon', undefined],
])('a pause is read from %s', (_, header, expected) => {
  expect(parseRetryAfter(header, nowMs)).toBe(expected);
});
