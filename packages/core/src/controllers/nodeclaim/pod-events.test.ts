import { describe, expect, test } from '@jest/globals';
import { podEventDue } from './pod-events.ts';

const msAfterStart = (seconds: number): number => Date.parse('2026-01-01T00:00:00Z') + seconds * 1000;

describe('the last pod event of a node', () => {
  test.each([
    ['is nothing to write when none was seen', undefined, undefined, msAfterStart(0), { kind: 'nothing' }],
    ['is written the first time', undefined, msAfterStart(1), msAfterStart(1), { kind: 'write' }],
    [
      'is nothing new when it is written already, to the second',
      '2026-01-01T00:00:05Z',
      msAfterStart(5) + 900,
      msAfterStart(30),
      { kind: 'nothing' },
    ],
    [
      'waits when one was written less than ten seconds ago',
      '2026-01-01T00:00:05Z',
      msAfterStart(8),
      msAfterStart(9),
      { kind: 'later', inMs: 6000 },
    ],
    ['is written when ten seconds have passed', '2026-01-01T00:00:05Z', msAfterStart(8), msAfterStart(15), { kind: 'write' }],
  ])('%s', (...[, written, seenMs, nowMs, expected]) => {
    expect(podEventDue(written, seenMs, nowMs)).toEqual(expected);
  });
});
