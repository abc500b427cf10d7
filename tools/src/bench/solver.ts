import { cpus, totalmem } from 'node:os';
import { createWhatIf, defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, InstanceType, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { aNodePool, aSnapshot, assortedInstanceTypes, validatePlan } from '@karpenter/testkit';
import { eastusTypes } from './eastus.ts';
import { fluidBound } from './fluid-bound.ts';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { runningNodes } from './running-nodes.ts';
import { genericPods, logNormalPods, mixedPods, openbPods, preferringPods, solitaryPods, zonedPods } from './workloads.ts';

const GIB = 1024 ** 3;
const never = (): boolean => false;
const policy = defaultSchedulingPolicy;
const firstFit: SchedulingPolicy = { ...policy, packing: 'first-fit' };
const pool = aNodePool({ limits: { cpu: '10000000', memory: '10000000Gi' } });

interface Timed {
  readonly plan: Plan;
  readonly ms: number;
}

const gc = (): void => (globalThis as { gc?: () => void }).gc?.();

const solved = (snapshot: ClusterSnapshot, how: SchedulingPolicy): Timed => {
  gc();
  const start = performance.now();
  const plan = simulate(snapshot, how, never);
  return { plan, ms: performance.now() - start };
};

const checked = (snapshot: ClusterSnapshot, how: SchedulingPolicy, { plan }: Timed): void => {
  const [violation] = validatePlan(snapshot, how, plan);
  if (violation !== undefined) throw new Error(`Unsound plan: ${violation.rule}: ${violation.subject} ${violation.detail}`);
  if (plan.rejections.length > 0) throw new Error(`${plan.rejections.length} pods found no place`);
};

/** Solves once, on objects that were never seen before, and checks the plan outside the timed part. */
const timed = (snapshot: ClusterSnapshot, how: SchedulingPolicy): Timed => {
  const run = solved(snapshot, how);
  checked(snapshot, how, run);
  return run;
};

/** The median of three runs, each with pod objects of its own but the same content, so that checking one of the plans checks all. */
const median = (make: () => ClusterSnapshot, how: SchedulingPolicy): Timed => {
  const snapshot = make();
  const last = solved(snapshot, how);
  checked(snapshot, how, last);
  const [, middle] = [solved(make(), how), solved(make(), how), last].sort((a, b) => a.ms - b.ms);
  if (middle === undefined) throw new Error('There are three runs');
  return middle;
};

/** The workload at several sizes, the largest last: how fast, and how the time grows from a tenth of the largest to it. */
const mixSizes = (workload: string, podsOf: (count: number) => readonly Pod[], sizes: readonly number[]): readonly Figure[] => {
  const instanceTypes = assortedInstanceTypes(400);
  const snapshotOf = (count: number) => (): ClusterSnapshot => aSnapshot({ pending: podsOf(count), instanceTypes, nodePools: [pool] });
  const seconds = new Map<number, number>();
  const figures = sizes.flatMap((count): readonly Figure[] => {
    const fit = median(snapshotOf(count), firstFit);
    const cheap = median(snapshotOf(count), policy);
    seconds.set(count, cheap.ms);
    const bar = count === 20_000 ? { atLeast: 50_000 } : {};
    const name = `${workload}, 400 types, ${count} pods`;
    return [
      { case: `${name}, first-fit`, figure: (count / fit.ms) * 1000, unit: 'pods/s', ...bar },
      { case: `${name}, cheapest`, figure: (count / cheap.ms) * 1000, unit: 'pods/s', ...bar },
      { case: `${name}, price saved over first-fit`, figure: (1 - cheap.plan.pricePerHour / fit.plan.pricePerHour) * 100, unit: '%' },
    ];
  });
  const largest = sizes.at(-1) ?? 0;
  const growth = (seconds.get(largest) ?? 0) / (seconds.get(largest / 10) ?? 1);
  return [...figures, { case: `${workload}, ${largest} over ${largest / 10} pods, cheapest`, figure: growth, unit: 'x', atMost: 12 }];
};

const solitary = (): Figure => {
  const { ms } = median(
    () => aSnapshot({ pending: solitaryPods(5000), instanceTypes: assortedInstanceTypes(400), nodePools: [pool] }),
    policy,
  );
  return { case: '5,000 pods with anti-affinity over hosts', figure: 5_000_000 / ms, unit: 'pods/s', atLeast: 25_000 };
};

const preferences = (): Figure => {
  const { ms } = median(
    () => aSnapshot({ pending: preferringPods(4000), instanceTypes: assortedInstanceTypes(400), nodePools: [pool] }),
    policy,
  );
  return { case: '4,000 pods with a preferred zone and preferred anti-affinity', figure: 4_000_000 / ms, unit: 'pods/s', atLeast: 20_000 };
};

const wholeCatalog = (types: readonly InstanceType[]): readonly Figure[] => {
  const zones = ['eastus-1', 'eastus-2', 'eastus-3'];
  const snapshot = aSnapshot({
    pending: zonedPods(100_000, zones),
    instanceTypes: types,
    nodePools: [aNodePool()],
    nodes: runningNodes(5000, 10),
  });
  const before = process.memoryUsage().rss;
  gc();
  const start = performance.now();
  const plan = simulate(snapshot, policy, never);
  const ms = performance.now() - start;
  const rss = process.memoryUsage().rss;
  const violations = validatePlan(snapshot, policy, plan);
  if (violations.length > 0 || plan.rejections.length > 0) throw new Error('The plan for the whole catalog is unsound');
  const name = `100,000 pods, 5,000 nodes, ${types.length} eastus sizes x 3 zones x 2 capacity types`;
  return [
    { case: `${name}, first run of the process`, figure: ms / 1000, unit: 's', atMost: 5 },
    { case: `${name}, memory of the process, its snapshot included`, figure: rss / 1024 ** 2, unit: 'MiB', atMost: 512 },
    { case: `${name}, memory that the decision added`, figure: (rss - before) / 1024 ** 2, unit: 'MiB' },
  ];
};

/** Asks about every node as the disruption floor does: first-fit, for it looks for one replacement. */
const consolidation = (types: readonly InstanceType[], podLimit: number, name: string): readonly Figure[] => {
  const nodes = runningNodes(5000, 20, podLimit);
  const snapshot = aSnapshot({ instanceTypes: types, nodePools: [aNodePool()], nodes });
  gc();
  const opened = performance.now();
  const whatIf = createWhatIf(snapshot, firstFit);
  const opening = performance.now() - opened;
  const start = performance.now();
  const plans = nodes.map((node) => whatIf.ask(new Set([node.name])));
  const ms = performance.now() - start;
  nodes.forEach((node, index) => {
    const plan = plans[index];
    const how = { ...firstFit, without: new Set([node.name]) };
    if (index % 500 === 0 && plan !== undefined && validatePlan(snapshot, how, plan).length > 0)
      throw new Error('A what-if plan is unsound');
  });
  const size = '5,000 nodes, 100,000 pods';
  return [
    { case: `${size}, ${name}: making the what-if ready`, figure: opening, unit: 'ms' },
    { case: `${size}, ${name}: one consolidation candidate (mean of all)`, figure: ms / nodes.length, unit: 'ms', atMost: 5 },
    { case: `${size}, ${name}: every candidate once`, figure: (ms + opening) / 1000, unit: 's', atMost: 25 },
  ];
};

const prices = async (): Promise<readonly Figure[]> => {
  const types = eastusTypes(/^Standard_[DEF]\d/);
  const workloads: readonly (readonly [string, readonly Pod[]])[] = [500, 2000, 10_000].flatMap((count) => [
    [`lognormal, ${count} pods`, logNormalPods(count)],
    [`openb sizes, ${count} pods`, openbPods(count)],
    [`mix, ${count} pods`, genericPods(count)],
  ]);
  const figures: Figure[] = [];
  for (const [name, pending] of workloads) {
    const bound = await fluidBound(pending, types);
    const snapshot = aSnapshot({ pending, instanceTypes: types, nodePools: [aNodePool()] });
    const fit = timed(snapshot, firstFit);
    const cheap = timed(snapshot, policy);
    const over = ({ plan }: Timed): number => (plan.pricePerHour / bound - 1) * 100;
    figures.push(
      { case: `${name}, eastus D+E+F, first-fit over LP bound`, figure: over(fit), unit: '%' },
      { case: `${name}, eastus D+E+F, cheapest over LP bound`, figure: over(cheap), unit: '%', atMost: 8 },
      { case: `${name}, eastus D+E+F, cheapest, nodes`, figure: cheap.plan.plannedNodes.length, unit: 'nodes' },
      { case: `${name}, eastus D+E+F, cheapest, time`, figure: cheap.ms, unit: 'ms' },
    );
  }
  return figures;
};

const upTo20k = [1, 50, 100, 500, 1000, 2000, 5000, 10_000, 20_000];
const eastus = eastusTypes();
const machine: readonly Figure[] = [
  { case: 'machine, cores', figure: cpus().length, unit: 'cores' },
  { case: 'machine, memory', figure: totalmem() / GIB, unit: 'GiB' },
];
report([
  ...machine,
  ...wholeCatalog(eastus),
  ...mixSizes('mix, generic fifth', genericPods, [...upTo20k, 100_000]),
  // A fifth of these pods takes a node each: beyond 20,000 pods the pool's limits, not the solver, would be measured.
  ...mixSizes('mix, all five fifths', mixedPods, upTo20k),
  solitary(),
  preferences(),
  ...consolidation(eastus, 110, 'nodes with room'),
  ...consolidation(eastus, 20, 'full nodes'),
  ...(await prices()),
]);
