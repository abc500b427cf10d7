/** RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`. */
export const timestampOf = (epochMs: number): string => new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');

/** Epoch milliseconds of an RFC 3339 timestamp; undefined when it is absent or no timestamp. */
export const epochMsOf = (timestamp: string | undefined): number | undefined => {
  if (timestamp === undefined) return undefined;
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
};
