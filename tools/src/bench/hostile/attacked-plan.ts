import { getHeapStatistics } from 'node:v8';
import { type ClusterSnapshot, defaultSchedulingPolicy, explain, type Pod } from '@karpenter/core';
import { planning, proposing, type Steps } from '@karpenter/core/internal';
import { inSlices, systemClock } from '@karpenter/runtime';
import { collectGarbage } from '../collect-garbage.ts';
import type { Target } from './attack.ts';
import { measureWaits } from '../responsiveness/watched.ts';
import { isHostileNode, ORDINARY } from './ordinary-cluster.ts';

/** What a decision came to. */
interface Decision {
  /** Ordinary pods that have a place; of a disruption pass, ordinary nodes that it evaluated. */
  readonly ordinary: number;
  readonly hostile: number;
  /** Sort of rejection, or of reason for a node to stay → how many. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** What a plan or a disruption pass under attack came to. */
export interface AttackedPlan extends Decision {
  /** Processor time until the decision stood and its rejections were explained. */
  readonly cpuMs: number;
  /** The longest step, in processor time: nothing else has its turn meanwhile. */
  readonly longestStepMs: number;
  readonly peakHeapMiB: number;
  readonly peakRssMiB: number;
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

const countsOf = (kinds: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const isOrdinary = ({ metadata: { name } }: Pod): boolean => name.startsWith(ORDINARY);

function* provisioning(snapshot: ClusterSnapshot): Steps<Decision> {
  const startMs = performance.now();
  const policy = { ...defaultSchedulingPolicy, nowMs: Date.now() };
  const plan = yield* planning(snapshot, policy, () => performance.now() > startMs + SOLVE_MS);
  for (const rejection of plan.rejections) {
    explain(rejection);
    yield;
  }
  const placed = [...plan.plannedNodes.flatMap(({ pods }) => pods), ...[...plan.placements.values()].flat()];
  const ordinary = placed.filter(isOrdinary).length;
  return { ordinary, hostile: placed.length - ordinary, reasons: countsOf(plan.rejections.map(({ reason }) => reason.kind)) };
}

/** Reasons of nodes that a pass asks no question about. */
const NOT_ASKED: ReadonlySet<string> = new Set(['stopped', 'after-command', 'consolidate-after']);

/** As the controller: each method has so long. */
const PASS_MS = 60_000;

function* disrupting(snapshot: ClusterSnapshot): Steps<Decision> {
  let startMs = performance.now();
  const { command, blocked } = yield* proposing({
    ...{ snapshot, policy: defaultSchedulingPolicy, nowMs: Date.now() },
    onMethodStart: () => void (startMs = performance.now()),
    shouldStop: () => performance.now() > startMs + PASS_MS,
  });
  const inCommand = (command?.candidates ?? []).map(({ node }) => node);
  const isEvaluated = (kind: string): boolean => !NOT_ASKED.has(kind);
  const evaluated = [...blocked].flatMap(([name, { kind }]) => (isEvaluated(kind) ? [{ name }] : []));
  const all = [...inCommand, ...evaluated];
  const hostile = all.filter(isHostileNode).length;
  return { ordinary: all.length - hostile, hostile, reasons: countsOf([...blocked.values()].map(({ kind }) => kind)) };
}

/** Decides about the snapshot: what nodes its pods need, or which of its nodes could go. */
export type Deciding = (snapshot: ClusterSnapshot) => Steps<Decision>;

export const decisionOn: Readonly<Record<Target, Deciding>> = { plan: provisioning, pass: disrupting };

/** Decides in steps, as the controller does, and watches each. */
export const attackedPlan = (snapshot: ClusterSnapshot, deciding: Deciding): AttackedPlan => {
  collectGarbage();
  let longestStepMs = 0;
  let peakHeap = 0;
  const startMs = cpuMsNow();
  const steps = deciding(snapshot);
  let beforeMs = cpuMsNow();
  for (let step = steps.next(), count = 0; ; step = steps.next(), count++) {
    const nowMs = cpuMsNow();
    longestStepMs = Math.max(longestStepMs, nowMs - beforeMs);
    if (count % 64 === 0) peakHeap = Math.max(peakHeap, getHeapStatistics().used_heap_size);
    if (step.done === true) {
      const cpuMs = cpuMsNow() - startMs;
      return { ...step.value, cpuMs, longestStepMs, peakHeapMiB: peakHeap / MIB, peakRssMiB: process.resourceUsage().maxRSS / 1024 };
    }
    beforeMs = cpuMsNow();
  }
};

/** Decides in slices, in a process that serves `/healthz` to another thread. */
export const attackedProbes = async (snapshot: ClusterSnapshot, deciding: Deciding): Promise<AttackedProbes> => {
  collectGarbage();
  const { signal } = new AbortController();
  const { healthz, turnsOnProcessor } = await measureWaits(() =>
    inSlices(deciding(snapshot), { clock: systemClock, sliceMs: SLICE_MS, signal }),
  );
  const longest = (timesMs: readonly number[]): number => timesMs.reduce((most, timeMs) => Math.max(most, timeMs), 0);
  return { longestHealthzMs: longest(healthz), longestTurnMs: longest(turnsOnProcessor), probes: healthz.length };
};
