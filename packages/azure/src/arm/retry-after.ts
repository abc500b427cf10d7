/** Milliseconds of a `Retry-After` header: seconds or a date. Undefined when there is none that can be read. */
export const retryAfterMsOf = (header: string | undefined | null, nowMs: number): number | undefined => {
  const text = (header ?? '').trim();
  if (text === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
};
