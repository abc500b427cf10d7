const HOUR_MS = 3_600_000;

/** Slope of the straight line that comes closest to values which were taken `everyMs`, in their unit an hour. */
export const growthPerHour = (values: readonly number[], everyMs: number): number => {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const covariance = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const variance = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return variance === 0 ? 0 : (covariance / variance) * (HOUR_MS / everyMs);
};
