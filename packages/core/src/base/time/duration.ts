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
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g;

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
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const part = partNs(whole, fraction, UNITS_NS[unit] ?? 0n);
    if (part === undefined) return undefined;
    total += part;
    if (total > RANGE_NS) return undefined;
  }
  return total;
};

/**
 * Milliseconds of a Go duration (`1h30m`, `1.5s`, `-2m`, `0`); undefined when it is none, or beyond ±292 years.
 * Source: Go, `time.ParseDuration`.
 */
export const durationMs = (text: string): number | undefined => {
  const size = WHOLE.test(text) ? sizeNs(text) : undefined;
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
