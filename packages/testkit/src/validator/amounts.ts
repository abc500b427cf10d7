import type { Container, PodSpec, ResourceList } from '@karpenter/core';

/** Resource → amount, cpu in cores and the rest in base units, as floating point: precise enough to check, independent of the solver. */
export type Amounts = Map<string, number>;

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const amountOf = (written: string | number): number => {
  const match = /^([0-9.eE+-]*?[0-9.])([a-zA-Z]{0,2})$/.exec(String(written));
  return match === null ? Number(written) : Number(match[1]) * (FACTORS[match[2] ?? ''] ?? Number.NaN);
};

const listed = (list: ResourceList = {}): Amounts => new Map(Object.entries(list).map(([name, written]) => [name, amountOf(written)]));

const combined = (a: Amounts, b: Amounts, by: (x: number, y: number) => number): Amounts => {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, by(a.get(name) ?? 0, amount));
  return result;
};

export const plus = (a: Amounts, b: Amounts): Amounts => combined(a, b, (x, y) => x + y);
const larger = (a: Amounts, b: Amounts): Amounts => combined(a, b, Math.max);

/** Core's integer resources (cpu in milli-cores) as amounts. */
export const amountsOf = (resources: Readonly<Record<string, number>>): Amounts =>
  new Map(Object.entries(resources).map(([name, amount]) => [name, name === 'cpu' ? amount / 1000 : amount]));

export const limitAmounts = (list: ResourceList | undefined): Amounts => listed(list);

const asked = ({ resources = {} }: Container): Amounts => new Map([...listed(resources.limits), ...listed(resources.requests)]);

/** What Kubernetes reserves for a pod: containers together, or an init phase where that is more; sidecars beside both. One pod slot. */
export const reservedBy = (spec: PodSpec): Amounts => {
  let running = spec.containers.map(asked).reduce(plus, new Map<string, number>());
  let sidecars: Amounts = new Map();
  let peak: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    peak = larger(peak, plus(sidecars, asked(container)));
    if (container.restartPolicy === 'Always') sidecars = plus(sidecars, asked(container));
  }
  running = larger(plus(running, sidecars), peak);
  for (const [name, amount] of listed(spec.resources?.requests)) running.set(name, amount);
  return plus(plus(running, listed(spec.overhead)), new Map([['pods', 1]]));
};

/** The first resource of which more than there is would be used. A part in a billion is rounding. */
export const overfilled = (used: Amounts, available: Amounts): string | undefined =>
  [...used].find(([name, amount]) => amount > 0 && amount > (available.get(name) ?? 0) * (1 + 1e-9) + 1e-9)?.[0];
