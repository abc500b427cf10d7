import type { ResourceList } from '@karpenter/core/internal';
import { quantityValueOf } from '@karpenter/api-server';

/** Resource → whole amount: `cpu` in milli-cores, anything else in its base unit. */
export type ResourceAmounts = Readonly<Record<string, number>>;

const NANOS = 1_000_000_000n;
const NANOS_PER_MILLI = 1_000_000n;
const known = new Map<string, number>();

const ceilDiv = (value: bigint, by: bigint): number => Number(value >= 0n ? (value + by - 1n) / by : value / by);

/** A quantity rounded up to a whole amount; text that is no quantity is 0, since the API server lets none in. */
const amountOf = (name: string, text: string): number => {
  const unit = name === 'cpu' ? NANOS_PER_MILLI : NANOS;
  const key = unit === NANOS ? text : `m ${text}`;
  let amount = known.get(key);
  if (amount === undefined) known.set(key, (amount = ceilDiv(quantityValueOf(text)?.nanos ?? 0n, unit)));
  return amount;
};

/** A resource list in numbers. */
export const amountsOf = (list: ResourceList | undefined): ResourceAmounts => {
  const amounts: Record<string, number> = {};
  for (const [name, quantity] of Object.entries(list ?? {})) amounts[name] = amountOf(name, String(quantity));
  return amounts;
};

const combined = (a: ResourceAmounts, b: ResourceAmounts, combine: (x: number, y: number) => number): ResourceAmounts => {
  const result: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) result[name] = combine(result[name] ?? 0, amount);
  return result;
};

export const sumOf = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts => combined(a, b, (x, y) => x + y);

/** The larger of both, resource by resource. */
export const largerOf = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts => combined(a, b, Math.max);
