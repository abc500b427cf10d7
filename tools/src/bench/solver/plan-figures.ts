import type { InstanceType, Pod } from '@karpenter/core';
import type { Figure } from '../report.ts';
import { fluidBound, machinesOf, podsApart } from './fluid-bound.ts';
import type { TimedPlan } from './timed-plan.ts';

/** Price, nodes and the distance to the bound of a workload that was planned. */
export const priceFigures = async (
  name: string,
  { plan }: TimedPlan,
  { pods, types }: { readonly pods: readonly Pod[]; readonly types: readonly InstanceType[] },
): Promise<readonly Figure[]> => {
  const bound = await fluidBound(pods, machinesOf(types), podsApart(pods));
  return [
    { case: `${name}: nodes`, figure: plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: plan.pricePerHour, unit: '$/h' },
    { case: `${name}: LP bound`, figure: bound, unit: '$/h' },
    { case: `${name}: over the LP bound`, figure: (plan.pricePerHour / bound - 1) * 100, unit: '%' },
  ];
};

/** Time, speed and memory of a workload of `count` pods that was planned. */
export const timeFigures = (name: string, { ms, peakMiB }: TimedPlan, count: number): readonly Figure[] => [
  { case: `${name}: time`, figure: ms, unit: 'ms' },
  { case: `${name}: speed`, figure: (count / ms) * 1000, unit: 'pods/s' },
  { case: `${name}: memory of the process at its most`, figure: peakMiB, unit: 'MiB' },
];
