import { simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, SchedulingPolicy } from '@karpenter/core';
import { collectGarbage } from '../collect-garbage.ts';
import { checkComplete } from './check-plan.ts';

const never = (): boolean => false;

/**
 * Processor time of this thread: other processes, and V8's other threads, change it little. On a quiet machine it is
 * the time that passes.
 */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** A plan and what it took to make it. */
export interface TimedPlan {
  readonly plan: Plan;
  /** Processor time of the thread. */
  readonly ms: number;
  /** The most that the process had in memory up to the end of the decision, its snapshot included. */
  readonly peakMiB: number;
}

/** Plans once, and takes the time of nothing else. */
export const timedPlan = (snapshot: ClusterSnapshot, how: SchedulingPolicy): TimedPlan => {
  collectGarbage();
  const startMs = threadMs();
  const plan = simulate(snapshot, how, never);
  const ms = threadMs() - startMs;
  return { plan, ms, peakMiB: process.resourceUsage().maxRSS / 1024 };
};

/** The same pods as objects that were never seen before. */
const withFreshPods = (snapshot: ClusterSnapshot): ClusterSnapshot => ({ ...snapshot, pendingPods: structuredClone(snapshot.pendingPods) });

/** The median of three runs over the same content in new objects; one plan is checked for all, after the runs. */
export const medianOfThree = (snapshot: ClusterSnapshot, how: SchedulingPolicy): TimedPlan => {
  const runs = [timedPlan(withFreshPods(snapshot), how), timedPlan(withFreshPods(snapshot), how), timedPlan(snapshot, how)];
  const [last] = runs.slice(-1);
  const [, middle] = runs.toSorted((a, b) => a.ms - b.ms);
  if (last === undefined || middle === undefined) throw new Error('There are three runs');
  checkComplete(snapshot, how, last.plan);
  return middle;
};
