import type { Pod } from '@karpenter/core';
import type { Container, ResourceList } from '@karpenter/core/internal';

/**
 * Resource → amount, cpu in cores and the rest in base units, as floating point: precise enough to check, independent
 * of the solver.
 */
export type FloatAmounts = Map<string, number>;

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

const listed = (list: ResourceList = {}): FloatAmounts => new Map(Object.entries(list).map(([name, written]) => [name, amountOf(written)]));

const combined = (a: FloatAmounts, b: FloatAmounts, by: (x: number, y: number) => number): FloatAmounts => {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, by(a.get(name) ?? 0, amount));
  return result;
};

export const plus = (a: FloatAmounts, b: FloatAmounts): FloatAmounts => combined(a, b, (x, y) => x + y);
const larger = (a: FloatAmounts, b: FloatAmounts): FloatAmounts => combined(a, b, Math.max);

/** Core's integer resources (cpu in milli-cores) as amounts. */
export const floatAmountsOf = (resources: Readonly<Record<string, number>>): FloatAmounts =>
  new Map(Object.entries(resources).map(([name, amount]) => [name, name === 'cpu' ? amount / 1000 : amount]));

export const limitAmounts = (list: ResourceList | undefined): FloatAmounts => listed(list);

const asked = ({ resources = {} }: Container): FloatAmounts => new Map([...listed(resources.limits), ...listed(resources.requests)]);

type PodParts = Pick<Pod, 'spec' | 'status'>;

const isInfeasible = ({ status }: PodParts): boolean =>
  status?.conditions?.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible') === true;

/** During a resize in place: the greatest of requested, allocated and actual; an infeasible request does not count. */
const heldWith = (own: FloatAmounts, granted: readonly (ResourceList | undefined)[], pod: PodParts): FloatAmounts =>
  granted.map((list) => listed(list)).reduce(larger, isInfeasible(pod) ? new Map<string, number>() : own);

const heldBy = (container: Container, pod: PodParts): FloatAmounts => {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const status = [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container.name);
  const own = asked(container);
  return status?.resources === undefined ? own : heldWith(own, [status.resources.requests, status.allocatedResources], pod);
};

const heldByPod = (pod: PodParts): FloatAmounts => {
  const own = listed(pod.spec.resources?.requests);
  const { resources, allocatedResources } = pod.status ?? {};
  if (resources === undefined) return own;
  const held = heldWith(own, [resources.requests, allocatedResources], pod);
  return new Map([...own].map(([name, amount]) => [name, /^(cpu|memory|hugepages-.*)$/.test(name) ? (held.get(name) ?? 0) : amount]));
};

/**
 * What Kubernetes reserves for a pod: containers together, or an init phase where that is more; sidecars beside both.
 * One pod slot.
 */
export const reservedAmounts = (pod: PodParts): FloatAmounts => {
  const { spec } = pod;
  let running = spec.containers.map((each) => heldBy(each, pod)).reduce(plus, new Map<string, number>());
  let sidecars: FloatAmounts = new Map();
  let peak: FloatAmounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const isSidecar = container.restartPolicy === 'Always';
    const taken = plus(sidecars, isSidecar ? heldBy(container, pod) : asked(container));
    peak = larger(peak, taken);
    if (isSidecar) sidecars = taken;
  }
  running = larger(plus(running, sidecars), peak);
  for (const [name, amount] of heldByPod(pod)) running.set(name, amount);
  return plus(plus(running, listed(spec.overhead)), new Map([['pods', 1]]));
};

/** The first resource whose use would exceed what there is. A part in a billion is rounding. */
export const overfullResource = (used: FloatAmounts, available: FloatAmounts): string | undefined =>
  [...used].find(([name, amount]) => amount > 0 && amount > (available.get(name) ?? 0) * (1 + 1e-9) + 1e-9)?.[0];
