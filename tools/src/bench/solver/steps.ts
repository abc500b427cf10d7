import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { planning, rehearsedPods } from '@karpenter/core/internal';
import { aNodePool, aSnapshot, assortedInstanceTypes } from '@karpenter/testkit';
import { collectGarbage } from '../collect-garbage.ts';
import { eastusTypes } from '../inputs/eastus.ts';
import { runningNodes } from '../inputs/running-nodes.ts';
import { logNormalPods, mixedPods, zonedPods } from '../inputs/workloads.ts';
import type { Figure } from '../report.ts';
import { checkComplete } from './check-plan.ts';
import { cheapest } from './policies.ts';
import { threadMs } from './timed-plan.ts';

/** The most that one step may take, in milliseconds: a decision may be interrupted only between steps. */
export const STEP_BAR_MS = 25;

const never = (): boolean => false;

interface SteppedPlan {
  readonly plan: Plan;
  /** Processor time of the thread, step by step, the longest first. */
  readonly stepsMs: readonly number[];
}

/** Plans step by step. Processor time of the thread alone: neither other processes nor V8's other threads change it much. */
export const planInSteps = (snapshot: ClusterSnapshot, how: SchedulingPolicy): SteppedPlan => {
  collectGarbage();
  const steps = planning(snapshot, how, never);
  const stepsMs: number[] = [];
  for (;;) {
    const beforeMs = threadMs();
    const { done, value } = steps.next();
    stepsMs.push(threadMs() - beforeMs);
    if (done === true) return { plan: value, stepsMs: stepsMs.sort((a, b) => b - a) };
  }
};

const vast = aNodePool({ limits: { cpu: '10000000', memory: '10000000Gi' } });
const zones = ['eastus-1', 'eastus-2', 'eastus-3'];

const snapshots: Readonly<Record<string, () => ClusterSnapshot>> = {
  'mix, 400 types, 20,000 pods': () =>
    aSnapshot({ pending: mixedPods(20_000), instanceTypes: assortedInstanceTypes(400), nodePools: [vast] }),
  '10,000 pods, hardly two alike': () =>
    aSnapshot({ pending: logNormalPods(10_000), instanceTypes: assortedInstanceTypes(400), nodePools: [vast] }),
  '100,000 pods, 5,000 nodes, all eastus sizes': () =>
    aSnapshot({
      pending: zonedPods(100_000, zones),
      instanceTypes: eastusTypes(),
      nodePools: [aNodePool()],
      nodes: runningNodes(5000, 10),
    }),
};

/** How long a plan holds the thread between two pauses: its first run, and a second one. */
export const stepFigures = (name: string, snapshotOf: () => ClusterSnapshot): readonly Figure[] =>
  ['first run', 'second run'].flatMap((which) => {
    const { stepsMs } = planInSteps(snapshotOf(), cheapest);
    const figureOf = (what: string, figure: number): Figure => ({
      case: `${name}, ${which}: ${what} of ${stepsMs.length} steps, processor time`,
      figure,
      unit: 'ms',
      atMost: STEP_BAR_MS,
    });
    return [figureOf('longest', stepsMs[0] ?? 0), figureOf('99th percentile', stepsMs[Math.floor(stepsMs.length / 100)] ?? 0)];
  });

/** The same of plans that are checked where their speed is measured. */
export const benchSteps = (): readonly Figure[] => Object.entries(snapshots).flatMap(([name, snapshotOf]) => stepFigures(name, snapshotOf));

/** A plan for few pods in a process that has rehearsed with this catalog, as a controller has when the first pods come. */
export const fewPods = (): readonly Figure[] => {
  const instanceTypes = eastusTypes();
  const nodePools = [aNodePool()];
  const snapshotWith = (pending: readonly Pod[]): ClusterSnapshot => aSnapshot({ pending, instanceTypes, nodePools });
  for (const pods of rehearsedPods) planInSteps(snapshotWith(pods), cheapest);
  const snapshot = snapshotWith(mixedPods(5, 42));
  const { plan, stepsMs } = planInSteps(snapshot, cheapest);
  checkComplete(snapshot, cheapest, plan);
  const figure = stepsMs.reduce((sum, each) => sum + each, 0);
  return [{ case: `5 pods, ${instanceTypes.length} eastus sizes, after a rehearsal: processor time`, figure, unit: 'ms', atMost: 60 }];
};
