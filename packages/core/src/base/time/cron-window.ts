import { memoByText } from '../collections/memo.ts';
import { parseCronSchedule } from './cron-schedule.ts';
import type { CronSchedule } from './cron-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** 29 February comes at least once in so many days. A schedule without a hit in them has none at all. */
const MOST_DAYS = 8 * 366;

const scheduleOf = memoByText((text) => parseCronSchedule(text) ?? ('malformed' as const), 1024);

/** Whether the text is a schedule of five cron fields, or a nickname such as `@daily`. */
export const isCronSchedule = (schedule: string): boolean => scheduleOf(schedule) !== 'malformed';

const hitsOnDay = ({ daysOfMonth, months, weekdays, isEitherDay }: CronSchedule, day: Date): boolean => {
  if (!months.has(day.getUTCMonth() + 1)) return false;
  const byDate = daysOfMonth.has(day.getUTCDate());
  const byWeekday = weekdays.has(day.getUTCDay());
  return isEitherDay ? byDate || byWeekday : byDate && byWeekday;
};

/** The last minute of a day that the schedule hits, at or before `mostMinutes`. */
const lastMinute = ({ minutes, hours }: CronSchedule, mostMinutes: number): number | undefined => {
  for (const hour of hours.toReversed()) {
    const minute = minutes.findLast((each) => hour * 60 + each <= mostMinutes);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return undefined;
};

/** The last hit in `(afterMs, nowMs]`; undefined when there is none. Costs the days between. */
const lastHit = (schedule: CronSchedule, afterMs: number, nowMs: number): number | undefined => {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  for (let dayMs = today; dayMs + DAY_MS > afterMs && dayMs > today - MOST_DAYS * DAY_MS; dayMs -= DAY_MS) {
    if (!hitsOnDay(schedule, new Date(dayMs))) continue;
    const minute = lastMinute(schedule, Math.floor((nowMs - dayMs) / MINUTE_MS));
    if (minute === undefined) continue;
    const hitMs = dayMs + minute * MINUTE_MS;
    return hitMs > afterMs ? hitMs : undefined;
  }
  return undefined;
};

/**
 * Whether `nowMs` is in a window that opens at each hit of the schedule, in UTC, and stays open for `durationMs`;
 * undefined for a malformed schedule. Differs: in the original a budget whose schedule never hits (30 February) always
 * applies, because robfig/cron answers with the year 1. Here it never applies.
 */
export const isInCronWindow = (schedule: string, durationMs: number, nowMs: number): boolean | undefined => {
  const cron = scheduleOf(schedule);
  return cron === 'malformed' ? undefined : lastHit(cron, nowMs - durationMs, nowMs) !== undefined;
};
