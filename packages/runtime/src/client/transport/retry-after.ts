/** A longer pause is cut to this: a wrong answer must not stop calls until the process is started again. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Milliseconds of a pause of so many seconds, at most an hour. */
export const retryAfterOf = (seconds: number): number => Math.min(LONGEST_RETRY_AFTER_MS, seconds * 1000);

/**
 * Milliseconds that a Retry-After header asks for: seconds or an HTTP date, at most an hour. `undefined` when there is
 * none that can be read.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return retryAfterOf(Number(text));
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : retryAfterOf(Math.max(0, atMs - nowMs) / 1000);
};
