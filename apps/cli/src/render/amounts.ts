/** `@karpenter/cli/amounts`: amounts in words, without a dependency: the dashboard's page loads it too. */

const GIB = 2 ** 30;
const HOURS_A_MONTH = 730;

/** `$0.322`, `$1,008`, `-$12.3k`. */
export const money = (dollars: number): string => {
  const amount = Math.abs(dollars);
  const sign = dollars < 0 && amount >= 0.0005 ? '-' : '';
  if (amount >= 10_000) return `${sign}$${(amount / 1000).toFixed(1)}k`;
  if (amount >= 100) return `${sign}$${amount.toLocaleString('en-US', { maximumFractionDigits: 0 })}`;
  return `${sign}$${amount.toFixed(amount >= 10 ? 2 : 3)}`;
};

/** `$0.322/h ($235/month)`. A month has 730 hours. */
export const rate = (dollarsPerHour: number): string => `${money(dollarsPerHour)}/h (${money(dollarsPerHour * HOURS_A_MONTH)}/month)`;

/** `42 s`, `5m`, `3h12m`, `12d`: the first two units, as kubectl writes ages. */
export const age = (seconds: number): string => {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 1) return `${days}d`;
  if (days === 1) return `${24 + hours}h`;
  if (hours > 0) return `${hours}h${minutes === 0 ? '' : `${minutes}m`}`;
  return minutes > 0 ? `${minutes}m` : `${seconds}s`;
};

/** `1 node`, `2 nodes`. */
export const countText = (amount: number, noun: string): string => `${amount.toLocaleString('en-US')} ${noun}${amount === 1 ? '' : 's'}`;

/** `default/web-0 and 2 other pods`: the first of so many equal pods stands for them all. */
export const podAndOthers = (first: string, pods: number): string =>
  pods === 1 ? first : `${first} and ${countText(pods - 1, 'other pod')}`;

/** `eastus-1`; `no zone (0)` for a machine that stands in the region but in none of its zones. */
export const zoneText = ({ zone, isZonal }: { readonly zone: string; readonly isZonal: boolean }): string =>
  isZonal ? zone : `no zone (${zone})`;

/** `14.5` cores, `1,204`. */
export const cores = (amount: number): string => amount.toLocaleString('en-US', { maximumFractionDigits: amount < 10 ? 2 : 1 });

/** `31.2Gi`. */
export const gibibytes = (bytes: number): string =>
  `${(bytes / GIB).toLocaleString('en-US', { maximumFractionDigits: bytes < 100 * GIB ? 1 : 0 })}Gi`;

export const percentText = (share: number): string => `${Math.round(share * 100)}%`;
