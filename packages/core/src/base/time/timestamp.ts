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
