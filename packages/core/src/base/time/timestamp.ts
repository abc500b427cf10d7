import { memoByText } from '../collections/memo.ts';

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

/** Epoch milliseconds of an RFC 3339 timestamp, always finite; undefined when it is absent or no timestamp. */
export const epochMsOf = (timestamp: string | undefined): number | undefined => {
  if (timestamp === undefined) return undefined;
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
};

const formatIn = (timeZone: string): Intl.DateTimeFormat | 'unknown' => {
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
 * What a clock on the wall of the time zone shows at the moment, as epoch milliseconds of a UTC clock that shows the
 * same, in whole seconds; undefined for an unknown zone.
 */
export const wallClockMs = (epochMs: number, timeZone: string): number | undefined => {
  const format = formatOf(timeZone);
  if (format === 'unknown') return undefined;
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
};
