import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, InstanceType, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { validatePlan } from '@karpenter/testkit';
import { fluidBound } from './fluid-bound.ts';
import type { Figure } from './report.ts';

const MIB = 1024 ** 2;
const never = (): boolean => false;

export const cheapest = defaultSchedulingPolicy;
export const firstFit: SchedulingPolicy = { ...cheapest, packing: 'first-fit' };

export interface Timed {
  readonly plan: Plan;
  readonly ms: number;
  /** The most that the process had in memory up to the end of the decision, its snapshot included. */
  readonly peakMiB: number;
}

export const collectGarbage = (): void => (globalThis as { gc?: () => void }).gc?.();

/** Decides once, and takes the time of nothing else. */
export const solved = (snapshot: ClusterSnapshot, how: SchedulingPolicy): Timed => {
  collectGarbage();
  const start = performance.now();
  const plan = simulate(snapshot, how, never);
  const ms = performance.now() - start;
  return { plan, ms, peakMiB: process.resourceUsage().maxRSS / 1024 };
};

/** Throws where a plan breaks a rule. */
export const checkSound = (snapshot: ClusterSnapshot, how: SchedulingPolicy, plan: Plan): void => {
  const [violation] = validatePlan(snapshot, how, plan);
  if (violation !== undefined) throw new Error(`Unsound plan: ${violation.rule}: ${violation.subject} ${violation.detail}`);
};

/** Throws where a plan breaks a rule or leaves a pod over. */
export const checkComplete = (snapshot: ClusterSnapshot, how: SchedulingPolicy, plan: Plan): void => {
  checkSound(snapshot, how, plan);
  if (plan.rejections.length > 0) throw new Error(`${plan.rejections.length} pods found no place`);
};

/** The same pods as objects that were never seen before. */
const anew = (snapshot: ClusterSnapshot): ClusterSnapshot => ({ ...snapshot, pendingPods: structuredClone(snapshot.pendingPods) });

/** The median of three runs over the same content in new objects; one plan is checked for all, after the runs. */
export const median = (snapshot: ClusterSnapshot, how: SchedulingPolicy): Timed => {
  const runs = [solved(anew(snapshot), how), solved(anew(snapshot), how), solved(snapshot, how)];
  const [last] = runs.slice(-1);
  const [, middle] = runs.toSorted((a, b) => a.ms - b.ms);
  if (last === undefined || middle === undefined) throw new Error('There are three runs');
  checkComplete(snapshot, how, last.plan);
  return middle;
};

/** Price, nodes and the distance to the bound of a workload that was planned. `leastNodes`: what its constraints demand in any case. */
export const priceFigures = async (
  name: string,
  { plan }: Timed,
  { pods, types, leastNodes = 0 }: { readonly pods: readonly Pod[]; readonly types: readonly InstanceType[]; readonly leastNodes?: number },
): Promise<readonly Figure[]> => {
  const bound = await fluidBound(pods, types, leastNodes);
  return [
    { case: `${name}: nodes`, figure: plan.plannedNodes.length, unit: 'nodes' },
    { case: `${name}: price`, figure: plan.pricePerHour, unit: '$/h' },
    { case: `${name}: LP bound`, figure: bound, unit: '$/h' },
    { case: `${name}: over the LP bound`, figure: (plan.pricePerHour / bound - 1) * 100, unit: '%' },
  ];
};

export const timeFigures = (name: string, { ms, peakMiB }: Timed, count: number): readonly Figure[] => [
  { case: `${name}: time`, figure: ms, unit: 'ms' },
  { case: `${name}: speed`, figure: (count / ms) * 1000, unit: 'pods/s' },
  { case: `${name}: memory of the process at its most`, figure: peakMiB, unit: 'MiB' },
];

/** Bytes as MiB. */
export const inMiB = (bytes: number): number => bytes / MIB;
