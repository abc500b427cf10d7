/**
 * The price after a change: `+n` and `-n` are added to it, `+n%` and `-n%` are shares of it, anything else takes its place. At least 0.
 * Shares are of the provider's own price. A price that nobody knows (NaN) stays unknown unless it is replaced.
 */
export const adjustedPrice = (pricePerHour: number, change: string): number => {
  const isRelative = change.startsWith('+') || change.startsWith('-');
  if (!isRelative) return Number(change);
  const amount = Number.parseFloat(change);
  return Math.max(0, change.endsWith('%') ? (pricePerHour * (100 + amount)) / 100 : pricePerHour + amount);
};
