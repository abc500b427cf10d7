const UNITS_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const WHOLE = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/**
 * Milliseconds of a Go duration (`1h30m`, `1.5s`, `-2m`, `0`); undefined when it is none.
 * Source: Go, `time.ParseDuration`.
 */
export const durationMs = (text: string): number | undefined => {
  if (!WHOLE.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(PART)) total += Number(amount) * (UNITS_MS[unit] ?? 0);
  return text.startsWith('-') ? -total : total;
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
