import { memoByText } from '../collections/memo.ts';

const UNITS_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const WHOLE = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy;

/** Longer texts are refused: nobody writes them, and a text of 256 KiB takes a tenth of a second. */
const MOST_CHARACTERS = 100;

/** 2^63 nanoseconds, about 292 years: a positive Go duration is below it, a negative one may reach it. */
const RANGE_NS = 2n ** 63n;
/** A whole number with more digits is out of range in every unit. */
const MOST_DIGITS = 19;
/** A fraction's further digits are below a nanosecond in every unit. */
const FRACTION_DIGITS = 18;

/** Nanoseconds of one amount; undefined when they are out of range. */
const partNs = (whole: string, fraction: string, unitNs: bigint): bigint | undefined => {
  const digits = whole.replace(/^0+/, '');
  if (digits.length > MOST_DIGITS) return undefined;
  const cut = fraction.slice(0, FRACTION_DIGITS);
  return BigInt(digits || '0') * unitNs + (BigInt(cut || '0') * unitNs) / 10n ** BigInt(cut.length);
};

/** Nanoseconds of a duration without its sign; undefined when they are out of range. */
const sizeNs = (text: string): bigint | undefined => {
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.replace(/^[+-]/, '').matchAll(PART)) {
    const part = partNs(whole, fraction, UNITS_NS[unit] ?? 0n);
    if (part === undefined) return undefined;
    total += part;
    if (total > RANGE_NS) return undefined;
  }
  return total;
};

/**
 * Milliseconds of a Go duration (`1h30m`, `1.5s`, `-2m`, `0`); undefined for other texts, or beyond ±292 years.
 * Source: Go, `time.ParseDuration`. Differs: refuses texts of more than 100 characters.
 */
export const durationMs = (text: string): number | undefined => {
  const size = text.length <= MOST_CHARACTERS && WHOLE.test(text) ? sizeNs(text) : undefined;
  if (size === undefined) return undefined;
  if (text.startsWith('-')) return size === 0n ? 0 : Number(size) / -1e6;
  return size === RANGE_NS ? undefined : Number(size) / 1e6;
};

/** As `durationMs`, and `Never` is Infinity: a moment that is never reached. */
export const durationOrNeverMs = (text: string): number | undefined => (text === 'Never' ? Number.POSITIVE_INFINITY : durationMs(text));

/** A Go duration as Go prints it, to the millisecond: `1h30m0s`, `1.5s`, `0s`. Infinity is `Never`. */
export const formatDuration = (ms: number): string => {
  if (ms === Number.POSITIVE_INFINITY) return 'Never';
  const sign = ms < 0 ? '-' : '';
  const whole = Math.round(Math.abs(ms));
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = `${(whole % 60_000) / 1000}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
};

/** 0000-01-01T00:00:00Z: RFC 3339 has years of four digits. */
const FIRST_MS = -62_167_219_200_000;
/** 9999-12-31T23:59:59Z */
const LAST_MS = 253_402_300_799_000;

/**
 * RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`. A moment outside the years 0 to 9999 becomes
 * the nearest one inside.
 */
export const timestampOf = (epochMs: number): string =>
  new Date(Math.min(LAST_MS, Math.max(FIRST_MS, epochMs))).toISOString().replace(/\.\d{3}Z$/, 'Z');

/**
 * Epoch milliseconds of an RFC 3339 timestamp, or of a date as HTTP writes it, always finite; undefined when it is absent
 * or no timestamp.
 */
export const epochMsOf = (timestamp: string | undefined): number | undefined => {
  if (timestamp === undefined || timestamp.length > MOST_CHARACTERS) return undefined;
  const ms = new Date(timestamp).getTime();
  return Number.isNaN(ms) ? undefined : ms;
};

const formatIn = (timeZone: string): Intl.DateTimeFormat | 'unknown' => {
  if (timeZone.length > MOST_CHARACTERS) return 'unknown';
  try {
    const two = '2-digit';
    return new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
    });
  } catch (error) {
    if (error instanceof RangeError) return 'unknown';
    throw error;
  }
};

const formatOf = memoByText(formatIn, 64);

/** Whether the text is the name of an IANA time zone, such as `Europe/Berlin`. */
export const isTimeZone = (timeZone: string): boolean => formatOf(timeZone) !== 'unknown';

/**
 * The local time of the time zone at the moment, as epoch milliseconds of a UTC clock that shows the same. In whole
 * seconds; undefined for an unknown zone.
 */
export const wallClockMs = (epochMs: number, timeZone: string): number | undefined => {
  const format = formatOf(timeZone);
  if (format === 'unknown') return undefined;
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
};
