/**
 * The environment variable that a value sets, as the chart's `snakecase | upper` has it: `ignoreDRARequests` sets
 * `IGNORE_DRA_REQUESTS`.
 */
export const variableOf = (key: string): string =>
  key
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase();
