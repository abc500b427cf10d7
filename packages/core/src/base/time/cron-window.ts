import { Cron } from 'croner';
import { memoByText } from '../collections/memo-by-text.ts';

/** Only the numbers' grammar of five fields, or one nickname: what croner adds (seconds, years, `L`, `W`, `#`) is not Kubernetes' cron. */
const FIELDS = /^(?:[\dA-Za-z*/,?-]+\s+){4}[\dA-Za-z*/,?-]+$/;
const NICKNAME = /^@(?:annually|yearly|monthly|weekly|daily|midnight|hourly)$/;
const EXTENSION = /(?:^|[\s,\d])[LW](?:$|[\s,])/i;

const read = (schedule: string): Cron | 'malformed' => {
  const text = schedule.trim();
  const pattern = text === '@midnight' ? '@daily' : text;
  if (!NICKNAME.test(text) && (!FIELDS.test(text) || EXTENSION.test(text))) return 'malformed';
  try {
    return new Cron(pattern, { utcOffset: 0, mode: '5-part' });
  } catch {
    return 'malformed';
  }
};
const cronOf = memoByText(read, 1024);

/** Whether the text is a five-field cron schedule or a nickname such as `@daily`. */
export const isCronSchedule = (schedule: string): boolean => cronOf(schedule) !== 'malformed';

/**
 * Whether `nowMs` lies in a window that opens whenever the schedule hits, in UTC, and stays open for `durationMs`; undefined for a
 * malformed schedule. croner is always given the date to start from, so it never asks the clock.
 */
export const isInCronWindow = (schedule: string, durationMs: number, nowMs: number): boolean | undefined => {
  const cron = cronOf(schedule);
  if (cron === 'malformed') return undefined;
  const hit = cron.nextRun(new Date(nowMs - durationMs));
  return hit !== null && hit.getTime() <= nowMs;
};
