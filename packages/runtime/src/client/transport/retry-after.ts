/** Milliseconds that a Retry-After header asks for: seconds or an HTTP date. `undefined` when there is none that can be read. */
export const parseRetryAfter = (header: string | undefined, nowMs: number): number | undefined => {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};
