/**
 * `pnpm bench:responsiveness`: how long leases, watches and probes wait while decisions are made over a large cluster.
 * Also what slicing costs, and what a copy of the same snapshot for a worker thread would cost. `--json` prints JSON.
 */
import { deserialize, serialize } from 'node:v8';
import { type ClusterSnapshot, defaultSchedulingPolicy, type DisruptionContext, type Pod } from '@karpenter/core';
import { finish, getOrMake, planning, proposing, type Steps } from '@karpenter/core/internal';
import { inSlices, systemClock } from '@karpenter/runtime';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { eastusTypes } from './inputs/eastus.ts';
import { collectGarbage } from './collect-garbage.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { runningNodes, nodesOnSpot } from './inputs/running-nodes.ts';
import { threadCpuMs, measureWaits } from './responsiveness/watched.ts';
import type { Waits } from './responsiveness/watched.ts';
import { zonedPods } from './inputs/workloads.ts';

const SLICE_MS = 10;
const BAR_MS = 50;
const ROUNDS = 5;
const policy = defaultSchedulingPolicy;
const types = eastusTypes();
const { signal } = new AbortController();
const never = (): boolean => false;

/** New pod and node objects each time, so that nothing about them is remembered; no two of them share anything. */
const unsharedSnapshot = (): ClusterSnapshot =>
  aSnapshot({
    pending: zonedPods(100_000, ['eastus-1', 'eastus-2', 'eastus-3']),
    instanceTypes: types,
    nodePools: [aNodePool()],
    nodes: runningNodes(5000, 10),
  });

/** Gives pods that say the same one spec, as the controller's cache does. */
const sharing = () => {
  const specs = new Map<string, Pod['spec']>();
  return (pod: Pod): Pod => {
    const text = JSON.stringify(pod.spec);
    const spec = getOrMake(specs, text, () => pod.spec);
    return { ...pod, spec };
  };
};

const asCached = ({ pendingPods, nodes, ...others }: ClusterSnapshot): ClusterSnapshot => {
  const share = sharing();
  return { ...others, pendingPods: pendingPods.map(share), nodes: nodes.map((node) => ({ ...node, pods: node.pods.map(share) })) };
};

const pendingSnapshot = (): ClusterSnapshot => asCached(unsharedSnapshot());

const fullSnapshot = (): ClusterSnapshot =>
  asCached(aSnapshot({ instanceTypes: types, nodePools: [aNodePool()], nodes: nodesOnSpot(runningNodes(5000, 20, 20)) }));

const sliced = (work: Steps<unknown>): Promise<unknown> => inSlices(work, { clock: systemClock, sliceMs: SLICE_MS, signal });

/** Processor time of this thread: what other processes of the machine take does not count. */
const timed = async (work: () => unknown): Promise<number> => {
  collectGarbage();
  const startMs = threadCpuMs();
  await work();
  return threadCpuMs() - startMs;
};

/** Sliced and at a stretch in turns, so that both meet the same moods of the machine; nobody watches. The medians. */
const costs = async (steps: () => Steps<unknown>, rounds: number): Promise<readonly [slicedMs: number, atOnceMs: number]> => {
  const times: { readonly inSlices: number; readonly atOnce: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [one, other] = [steps(), steps()];
    times.push({ inSlices: await timed(() => sliced(one)), atOnce: await timed(() => finish(other)) });
  }
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [median(times.map((each) => each.inSlices)), median(times.map((each) => each.atOnce))];
};

const highest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/** The value that 99.9 % of them do not exceed. */
const percentile999 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.999) - 1] ?? 0;

const waitFigures = (name: string, waits: readonly Waits[]): readonly Figure[] => {
  const all = (of: (each: Waits) => readonly number[]): readonly number[] => waits.flatMap(of);
  const both = (what: string, values: readonly number[]): readonly Figure[] => [
    { case: `${name}: ${what}, 99.9th percentile`, figure: percentile999(values), unit: 'ms', atMost: BAR_MS },
    { case: `${name}: ${what}, longest of ${values.length}`, figure: highest(values), unit: 'ms', atMost: BAR_MS },
  ];
  return [
    ...both(
      'turn of the event loop',
      all(({ turns }) => turns),
    ),
    { case: `${name}: the same, processor time alone, longest`, figure: highest(all((each) => each.turnsOnProcessor)), unit: 'ms' },
    {
      case: `${name}: the same less garbage collection, longest`,
      figure: highest(all(({ turnsWithoutGc }) => turnsWithoutGc)),
      unit: 'ms',
    },
    { case: `${name}: garbage collection, longest pause`, figure: highest(all((each) => each.gc)), unit: 'ms' },
    ...both(
      '/healthz answered to another thread',
      all(({ healthz }) => healthz),
    ),
    ...both(
      'a timer late',
      all(({ timers }) => timers),
    ),
  ];
};

const measured = async (name: string, steps: () => Steps<unknown>, rounds: number): Promise<readonly Figure[]> => {
  const waits: Waits[] = [];
  for (let round = 0; round < rounds; round++) {
    const work = steps();
    collectGarbage();
    waits.push(await measureWaits(() => sliced(work)));
  }
  const work = steps();
  collectGarbage();
  const unsliced = await measureWaits(() => finish(work));
  const [slicedMs, atOnceMs] = await costs(steps, rounds);
  return [
    ...waitFigures(name, waits),
    { case: `${name}: longest turn when it is not sliced`, figure: highest(unsliced.turns), unit: 'ms' },
    { case: `${name}: in slices, processor time`, figure: slicedMs, unit: 'ms' },
    { case: `${name}: at a stretch, processor time`, figure: atOnceMs, unit: 'ms' },
    { case: `${name}: slicing takes`, figure: (slicedMs / atOnceMs - 1) * 100, unit: '%' },
  ];
};

/** What handing the snapshot to a worker thread would cost, beside the way back of the plan. */
const copying = async (): Promise<readonly Figure[]> => {
  const snapshot = pendingSnapshot();
  finish(planning(snapshot, policy, never));
  let bytes = serialize(undefined);
  let copy = snapshot;
  const writing = await timed(() => (bytes = serialize(snapshot)));
  const reading = await timed(() => (copy = deserialize(bytes) as ClusterSnapshot));
  const name = 'a copy of the snapshot for a worker';
  return [
    { case: `${name}: written, on the main thread`, figure: writing, unit: 'ms' },
    { case: `${name}: read, in the worker`, figure: reading, unit: 'ms' },
    { case: `${name}: size`, figure: bytes.byteLength / 1024 ** 2, unit: 'MiB' },
    {
      case: `${name}: planned on, nothing of it being known`,
      figure: await timed(() => finish(planning(copy, policy, never))),
      unit: 'ms',
    },
    { case: 'the snapshot itself: planned on again', figure: await timed(() => finish(planning(snapshot, policy, never))), unit: 'ms' },
  ];
};

const pass = (): Steps<unknown> => {
  const nowMs = Date.now();
  const context: DisruptionContext = { snapshot: fullSnapshot(), policy: { ...policy, nowMs }, nowMs, shouldStop: never };
  return proposing(context);
};

report([
  ...(await measured('100,000 pods planned', () => planning(pendingSnapshot(), policy, never), ROUNDS)),
  ...(await measured('the same, no two sharing a spec', () => planning(unsharedSnapshot(), policy, never), ROUNDS)),
  ...(await measured('a consolidation pass over 5,000 full nodes', pass, 1)),
  ...(await copying()),
]);
