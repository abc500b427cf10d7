import { allocatableOf, podRequests, sumResources } from '@karpenter/core';
import type { InstanceType, Pod } from '@karpenter/core';
import highs from 'highs';

/** The package's types describe its CommonJS form, where the loader stands behind `default`; its ES module is the loader itself. */
const loadHighs = highs as unknown as typeof highs.default;

const RESOURCES = ['cpu', 'memory', 'pods'];

/** Numbers near one keep the solver exact: cores, GiB, pods. */
const UNITS: Readonly<Record<string, number>> = { cpu: 1000, memory: 1024 ** 3, pods: 1 };

const cheapest = ({ offerings }: InstanceType): number => Math.min(...offerings.map(({ pricePerHour }) => pricePerHour));

/** How many nodes there must be in any case: pods with anti-affinity want one each, in all the workloads that are measured. */
const leastNodesOf = (pods: readonly Pod[]): number => pods.filter(({ spec }) => spec.affinity?.podAntiAffinity !== undefined).length;

/** Dollars an hour below which no plan can be: pods poured like water over fractions of machines, of which there are as many as must be. */
export const fluidBound = async (pods: readonly Pod[], types: readonly InstanceType[]): Promise<number> => {
  const demand = sumResources(pods.map(podRequests));
  const sum = (of: (type: InstanceType) => number): string => types.map((type, index) => `${of(type)} x${index}`).join(' + ');
  const constraints = RESOURCES.map((name) => {
    const unit = UNITS[name] ?? 1;
    return ` ${name}: ${sum((type) => (allocatableOf(type)[name] ?? 0) / unit)} >= ${(demand[name] ?? 0) / unit}`;
  });
  constraints.push(` nodes: ${sum(() => 1)} >= ${leastNodesOf(pods)}`);
  const solver = await loadHighs();
  const result = solver.solve(`Minimize\n cost: ${sum(cheapest)}\nSubject To\n${constraints.join('\n')}\nEnd\n`);
  if (result.Status !== 'Optimal') throw new Error(`The linear programme of the lower bound ended as ${result.Status}`);
  return result.ObjectiveValue;
};
