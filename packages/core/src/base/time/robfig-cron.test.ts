import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isCronSchedule, isInCronWindow } from './cron.ts';

/**
 * What robfig/cron v3.0.1 answers to `ParseStandard("TZ=UTC " + schedule)` and `Next`, twice from each start. No hits:
 * refused. '': no hit in five years.
 */
interface Answer {
  readonly schedule: string;
  readonly hits: readonly string[] | null;
}

const STARTS = ['2026-11-20T08:59:59Z', '2028-02-28T23:30:00Z', '2027-12-31T23:59:00Z'].map((text) => Date.parse(text));
const answers = JSON.parse(readFileSync(new URL('./__golden__/robfig-cron.json', import.meta.url), 'utf8')) as readonly Answer[];

/** A window that opens just after `afterMs` is open at the next hit, and was not a millisecond before. */
const opensAt = (schedule: string, afterMs: number, hitMs: number): boolean =>
  isInCronWindow(schedule, hitMs - afterMs, hitMs) === true && isInCronWindow(schedule, hitMs - 1 - afterMs, hitMs - 1) === false;

const isAgreed = ({ schedule, hits }: Answer): boolean => {
  if (hits === null) return !isCronSchedule(schedule);
  if (hits.includes('')) return isInCronWindow(schedule, 5 * 365 * 86_400_000, STARTS[0] ?? 0) === false;
  return STARTS.every((start, at) => {
    const [first = 0, second = 0] = hits.slice(2 * at, 2 * at + 2).map((text) => Date.parse(text));
    return opensAt(schedule, start, first) && opensAt(schedule, first, second);
  });
};

describe('schedules as robfig/cron reads them', () => {
  test('each recorded schedule is taken or refused, and hits, as robfig/cron says', () => {
    expect(answers.length).toBeGreaterThan(500);
    expect(answers.filter((each) => !isAgreed(each))).toEqual([]);
  });

  test.each([
    ['a step without a range', '0 0/6 * * *', true],
    ['weekday 7', '0 9 * * 7', false],
    ['a range that wraps', '0 9 * * sat-sun', false],
    ['an empty part of a list', '1,,2 0 * * *', true],
    ['upper case nicknames', '@DAILY', false],
  ])('%s', (...[, schedule, isTaken]) => expect(isCronSchedule(schedule)).toBe(isTaken));
});
