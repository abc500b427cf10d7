import { getHeapStatistics } from 'node:v8';
import { type ClusterSnapshot, defaultSchedulingPolicy, explain, type Plan, type Pod } from '@karpenter/core';
import { planning, type Steps } from '@karpenter/core/internal';
import { inSlices, systemClock } from '@karpenter/runtime';
import { collectGarbage } from '../collect-garbage.ts';
import { watched } from '../responsiveness/watched.ts';
import { ORDINARY } from './ordinary-cluster.ts';

/** What a plan under attack came to. */
export interface AttackedPlan {
  /** Ordinary pods that have a place. */
  readonly ordinaryPlaced: number;
  readonly hostilePlaced: number;
  /** Processor time until the plan stood and its rejections were explained. */
  readonly cpuMs: number;
  /** The longest step, in processor time: nothing else has its turn meanwhile. */
  readonly longestStepMs: number;
  readonly peakHeapMiB: number;
  readonly peakRssMiB: number;
  /** Sort of rejection → how many. */
  readonly rejections: Readonly<Record<string, number>>;
}

/** How long a probe waited for `/healthz` while the same was planned in slices, as the controller does. */
export interface AttackedProbes {
  readonly longestHealthzMs: number;
  /**
   * Processor time of the longest turn of the event loop: what a probe waits for this process, where no other takes its
   * processor.
   */
  readonly longestTurnMs: number;
  readonly probes: number;
}

/** As the controller: so long others wait, and one step. */
const SLICE_MS = 10;

const MIB = 1024 ** 2;

/** Of the thread that decides: what other programs take of the machine, and V8 in threads of its own, is not counted. */
const cpuMsNow = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** As the controller: it plans for at most a minute, then explains each rejection for its event. */
const SOLVE_MS = 60_000;

function* provisioning(snapshot: ClusterSnapshot): Steps<Plan> {
  const startMs = performance.now();
  const policy = { ...defaultSchedulingPolicy, nowMs: Date.now() };
  const plan = yield* planning(snapshot, policy, () => performance.now() > startMs + SOLVE_MS);
  for (const rejection of plan.rejections) {
    explain(rejection);
    yield;
  }
  return plan;
}

const countsOf = (plan: Plan): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { reason } of plan.rejections) counts[reason.kind] = (counts[reason.kind] ?? 0) + 1;
  return counts;
};

const isOrdinary = ({ metadata: { name } }: Pod): boolean => name.startsWith(ORDINARY);

/** Plans in steps, as the controller does, and watches each. */
export const attackedPlan = (snapshot: ClusterSnapshot): AttackedPlan => {
  collectGarbage();
  let longestStepMs = 0;
  let peakHeap = 0;
  const startMs = cpuMsNow();
  const steps = provisioning(snapshot);
  let beforeMs = cpuMsNow();
  for (let step = steps.next(), count = 0; ; step = steps.next(), count++) {
    const nowMs = cpuMsNow();
    longestStepMs = Math.max(longestStepMs, nowMs - beforeMs);
    if (count % 64 === 0) peakHeap = Math.max(peakHeap, getHeapStatistics().used_heap_size);
    if (step.done === true) {
      const placed = [...step.value.plannedNodes.flatMap(({ pods }) => pods), ...[...step.value.placements.values()].flat()];
      const ordinaryPlaced = placed.filter(isOrdinary).length;
      return {
        ...{ ordinaryPlaced, hostilePlaced: placed.length - ordinaryPlaced, cpuMs: cpuMsNow() - startMs, longestStepMs },
        ...{ peakHeapMiB: peakHeap / MIB, peakRssMiB: process.resourceUsage().maxRSS / 1024, rejections: countsOf(step.value) },
      };
    }
    beforeMs = cpuMsNow();
  }
};

/** Plans in slices, in a process that serves `/healthz` to another thread. */
export const attackedProbes = async (snapshot: ClusterSnapshot): Promise<AttackedProbes> => {
  collectGarbage();
  const { signal } = new AbortController();
  const { healthz, turnsOnProcessor } = await watched(() =>
    inSlices(provisioning(snapshot), { clock: systemClock, sliceMs: SLICE_MS, signal }),
  );
  const longest = (timesMs: readonly number[]): number => timesMs.reduce((most, timeMs) => Math.max(most, timeMs), 0);
  return { longestHealthzMs: longest(healthz), longestTurnMs: longest(turnsOnProcessor), probes: healthz.length };
};
