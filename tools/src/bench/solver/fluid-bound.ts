import { allocatableOf, type InstanceType, type Pod, type Resources } from '@karpenter/core';
import { podRequests, sumResources } from '@karpenter/core/internal';
import highs from 'highs';

/**
 * The package's types describe its CommonJS form, where the loader stands behind `default`; its ES module is the loader
 * itself.
 */
const loadHighs = highs as unknown as typeof highs.default;

const RESOURCES = ['cpu', 'memory', 'pods'];

/** Numbers near one keep the solver exact: cores, GiB, pods. */
const UNITS: Readonly<Record<string, number>> = { cpu: 1000, memory: 1024 ** 3, pods: 1 };

/** A machine on sale: what it has for pods, and what it costs at least. */
export interface MachineOnSale {
  readonly allocatable: Resources;
  readonly pricePerHour: number;
}

/** The machines of some types, each at its cheapest offering. */
export const machinesOf = (types: readonly InstanceType[]): readonly MachineOnSale[] =>
  types.map((type) => ({
    allocatable: allocatableOf(type),
    pricePerHour: Math.min(...type.offerings.map(({ pricePerHour }) => pricePerHour)),
  }));

/**
 * How many nodes there must be in any case: pods with anti-affinity want one each, in all the made workloads that are
 * measured.
 */
export const podsApart = (pods: readonly Pod[]): number => pods.filter(({ spec }) => spec.affinity?.podAntiAffinity !== undefined).length;

/** Dollars an hour below which no plan can be: pods poured like water over fractions of machines, as many as there must be. */
export const fluidBound = async (pods: readonly Pod[], machines: readonly MachineOnSale[], leastNodes: number): Promise<number> => {
  const requests = sumResources(pods.map(podRequests));
  const sum = (of: (machine: MachineOnSale) => number): string => machines.map((machine, index) => `${of(machine)} x${index}`).join(' + ');
  const constraints = RESOURCES.map((name) => {
    const unit = UNITS[name] ?? 1;
    return ` ${name}: ${sum(({ allocatable }) => (allocatable[name] ?? 0) / unit)} >= ${(requests[name] ?? 0) / unit}`;
  });
  constraints.push(` nodes: ${sum(() => 1)} >= ${leastNodes}`);
  const solver = await loadHighs();
  const cost = sum(({ pricePerHour }) => pricePerHour);
  const result = solver.solve(`Minimize\n cost: ${cost}\nSubject To\n${constraints.join('\n')}\nEnd\n`);
  if (result.Status !== 'Optimal') throw new Error(`The linear programme of the lower bound ended as ${result.Status}`);
  return result.ObjectiveValue;
};
