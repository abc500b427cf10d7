import { memoByText } from '../collections/memo.ts';

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
