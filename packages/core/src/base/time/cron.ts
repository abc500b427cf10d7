import { memoByText } from '../collections/memo.ts';
import { wholeNumberIn } from '../typed-text.ts';

/** The moments that a schedule names: minutes and hours in ascending order, days as predicates need them. */
interface CronSchedule {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both day fields restrict days: a day has to meet only one of them. */
  readonly isEitherDay: boolean;
}

interface Field {
  readonly min: number;
  readonly max: number;
  /** In order of their numbers, beginning at `min`. */
  readonly names?: readonly string[];
}

const MINUTE: Field = { min: 0, max: 59 };
const HOUR: Field = { min: 0, max: 23 };
const DAY_OF_MONTH: Field = { min: 1, max: 31 };
const MONTH: Field = { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] };
const WEEKDAY: Field = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

/** A plain number, with `+` and leading zeros as Go's `strconv.Atoi` reads it; NaN otherwise. */
const numberIn = (text: string): number => wholeNumberIn(text) ?? Number.NaN;

const valueIn = (text: string, { min, names = [] }: Field): number => {
  const named = names.indexOf(text.toLowerCase());
  return named === -1 ? numberIn(text) : min + named;
};

/**
 * `*`, `5`, `1-5`, each with or without `/step`. A single value with a step runs to the end of the field: `5/15` is
 * `5-59/15`.
 */
const rangeIn = (text: string, field: Field): Range | undefined => {
  const [span = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreBounds] = span.split('-');
  if (moreSteps.length > 0) return undefined;
  const step = stepText === undefined ? 1 : numberIn(stepText);
  if (low === '*' || low === '?') return { start: field.min, end: field.max, step, isStar: step === 1 };
  if (moreBounds.length > 0) return undefined;
  const start = valueIn(low, field);
  const last = stepText === undefined ? start : field.max;
  return { start, end: high === undefined ? last : valueIn(high, field), step, isStar: false };
};

/** False for NaN as well. */
const isWithin = ({ start, end, step }: Range, { min, max }: Field): boolean => start >= min && end <= max && start <= end && step >= 1;

interface FieldValues {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

const fieldValues = (text: string, field: Field): FieldValues | undefined => {
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',').filter((each) => each !== '')) {
    const range = rangeIn(part, field);
    if (range === undefined || !isWithin(range, field)) return undefined;
    isStar ||= range.isStar;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return { values, isStar };
};

const ascending = (values: ReadonlySet<number>): readonly number[] => [...values].sort((a, b) => a - b);

const fieldsOf = (text: string): readonly string[] => (text.startsWith('@') ? (NICKNAMES.get(text) ?? '') : text).split(/\s+/);

const FIELDS: readonly Field[] = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, WEEKDAY];
type FieldsRead = readonly [minutes: FieldValues, hours: FieldValues, daysOfMonth: FieldValues, months: FieldValues, weekdays: FieldValues];

const areRead = (fields: readonly FieldValues[]): fields is FieldsRead => fields.length === FIELDS.length;

/** Five fields with a list of all their numbers have less than half of it. */
const MOST_CHARACTERS = 1_000;

/**
 * Reads five fields of cron or a nickname such as `@daily`; undefined when malformed. Source: robfig/cron v3,
 * `ParseStandard`, the dialect of the original's budgets and of CronJobs. The same words are taken and refused, but
 * `@every`, which the CRD refuses, and texts of more than 1,000 characters.
 */
const parseCronSchedule = (schedule: string): CronSchedule | undefined => {
  if (schedule.length > MOST_CHARACTERS) return undefined;
  // Go trims only behind a time zone, which the original always puts in front.
  const texts = fieldsOf(schedule.trim());
  if (texts.length !== FIELDS.length) return undefined;
  const fields = FIELDS.flatMap((field, i) => fieldValues(texts[i] ?? '', field) ?? []);
  if (!areRead(fields)) return undefined;
  const [minutes, hours, daysOfMonth, months, weekdays] = fields;
  return {
    minutes: ascending(minutes.values),
    hours: ascending(hours.values),
    daysOfMonth: daysOfMonth.values,
    months: months.values,
    weekdays: weekdays.values,
    isEitherDay: !daysOfMonth.isStar && !weekdays.isStar,
  };
};

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
