import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import type { KubeObject } from '@karpenter/runtime';
import type { SimulatedInstanceType } from '@karpenter/simulator';
import { isRunning, pictureOf, pendingWorkIn } from './cluster-picture.ts';
import { inFormOf, MetricTotals, type RecordedLabels, type SeriesValues } from './metric-totals.ts';
import { aStoppedStoryCluster, type StoryCluster } from './story-cluster.ts';
import { aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

interface Target {
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
}

type Act = Readonly<{ create: KubeObject & { readonly spec: object } } | { patch: Target; body: object } | { delete: Target }>;

interface Step {
  readonly name: string;
  readonly acts: readonly Act[];
  readonly until:
    { readonly nodes: number; readonly pods: number; readonly running: number; readonly fresh?: boolean } | { readonly waitMs: number };
}

interface Values {
  readonly counts: SeriesValues;
  readonly gauges: SeriesValues;
}

interface Recording {
  readonly script: readonly Step[];
  readonly metrics: Readonly<Record<string, RecordedLabels>>;
  readonly steps: readonly (Values & { readonly name: string })[];
}

/** What `record-values.ts` of the tools read from the original, and the script that it played. */
const recording = JSON.parse(readFileSync(new URL('./__golden__/values-of-original.json', import.meta.url), 'utf8')) as Recording;

/** Longer than the period in which costs are added up. */
const QUIET_MS = 31_000;
const GIB = 2 ** 30;
const PRICE_PER_CPU = 0.025;
const PRICE_PER_BYTE = 1e-12;
const GIB_PER_CPU = 2;

/** Sizes of the original's kwok provider. */
const instanceTypes = [2, 4, 8].map((cpu): SimulatedInstanceType => ({
  ...{ name: `c-${cpu}x-amd64-linux`, cpu, memoryGiB: GIB_PER_CPU * cpu, arch: 'amd64', zones: ['test-zone-a'] },
  ...{ pods: 16 * cpu, reservedMemoryMiB: 10, pricePerHour: cpu * PRICE_PER_CPU + cpu * GIB_PER_CPU * GIB * PRICE_PER_BYTE },
}));

const { nodeClassRef } = aStoryPool().spec.template.spec;

/** A manifest of the script for the embedded cluster, which has a class of its own. */
const adapted = (object: KubeObject & { readonly spec: object }): readonly (KubeObject & { readonly spec: object })[] => {
  if (object.kind === 'KWOKNodeClass') return [];
  if (object.kind !== 'NodePool') return [object];
  const pool = object as NodePool;
  const { template } = pool.spec;
  return [{ ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } } }];
};

/** Between two objects: the pods of each Deployment are planned by themselves, and share no node. */
const APART_MS = 5_000;

const perform = async (story: StoryCluster, act: Act): Promise<void> => {
  if ('create' in act) {
    await story.create(...adapted(act.create));
    return story.pass(APART_MS);
  }
  if ('patch' in act) {
    const { kind, name = '', ...where } = act.patch;
    await story.kube.patch(kind, { name, ...where }, { type: 'merge', body: act.body });
    return;
  }
  const { kind, name, namespace } = act.delete;
  const where = namespace === undefined ? {} : { namespace };
  const names = name === undefined ? (await story.kube.list(kind)).items.map(({ metadata }) => metadata.name) : [name];
  for (const each of names) await story.kube.delete(kind, { name: each, ...where }, { propagationPolicy: 'Background' });
};

const arrive = async (story: StoryCluster, { name, until }: Step, old: ReadonlySet<string>): Promise<void> => {
  if ('waitMs' in until) return story.pass(until.waitMs);
  const isSo = async (): Promise<boolean> => {
    const picture = await pictureOf(story);
    const { pods, nodes, claims } = picture;
    const running = pods.filter(isRunning).length;
    if (nodes.length !== until.nodes || pods.length !== until.pods || running !== until.running) return false;
    if (until.fresh === true && claims.some(({ metadata }) => old.has(metadata.name))) return false;
    return pendingWorkIn(picture).every((each) => each.startsWith('pod ') && pods.length > until.running);
  };
  await story.until(name, isSo, 1_800_000);
  await story.pass(QUIET_MS);
};

/** Plays the script on the embedded cluster; what each step adds to metrics. */
const play = async (totals: MetricTotals): Promise<ReadonlyMap<string, Values>> => {
  await using story = await aStoppedStoryCluster({}, [], instanceTypes);
  story.metrics = totals.metrics;
  story.start();
  const played = new Map<string, Values>();
  for (const step of recording.script) {
    const old = new Set((await story.claims()).map(({ metadata }) => metadata.name));
    for (const act of step.acts) await perform(story, act);
    await arrive(story, step, old);
    played.set(step.name, { counts: totals.growth(), gauges: totals.gauges() });
  }
  return played;
};

const fileOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const [, notHere = ''] = fileOf('../../../../docs/reference/metrics.md').split('## Of the Go original, and not here or not the same');
const page = fileOf('../../../../docs/parity.md');

/** The app makes it. */
const OF_THE_APP = 'karpenter_build_info';
/** Histograms where the original has summaries: they are counted alike. */
const OTHER_TYPE = new Set(['karpenter_nodes_termination_duration_seconds', 'karpenter_pods_startup_duration_seconds']);

/** Series that differ, and the row of the page that says why. */
interface Difference {
  readonly row: string;
  readonly series: RegExp;
  /** What is so nevertheless. */
  readonly holds?: (original: number, own: number) => boolean;
}

const accepted: readonly Difference[] = [
  { row: 'Times of plans and of passes', series: /_(?:scheduling|decision_evaluation)_duration_seconds\{/ },
  { row: '`InstanceTypesMatch`', series: /="InstanceTypesMatch"/, holds: (original) => original === 0 },
  { row: '`ConsistentStateFound`', series: /^operator_nodeclaim.*type="ConsistentStateFound"/, holds: (original) => original === 0 },
  {
    row: '`Launched` and `NodeClassReady`',
    series: /transition_seconds\{.*status="Unknown",type="(?:Launched|NodeClassReady)"/,
    holds: (_, own) => own === 0,
  },
  { row: '`Ready` of a NodePool', series: /^operator_nodepool_\w+_transition.*type="Ready"/, holds: (original, own) => own <= original },
  { row: '`Consolidatable`', series: /_transition.*type="Consolidatable"/ },
  { row: 'Conditions of nodes', series: /^operator_node_.*(?:KubeletNotReady|RouteCreated|type="Ready")/ },
  { row: 'Ephemeral storage', series: /resource_type="ephemeral_storage"/ },
  {
    row: 'Capacity of nodes',
    series: /^karpenter_(?:nodepools_usage|nodes_system_overhead)\{.*="(?:cpu|memory|pods)"/,
    holds: (a, b) => a <= b,
  },
  { row: '`karpenter_nodepools_allowed_disruptions`', series: /^karpenter_nodepools_(?:allowed_disruptions|nodes_consuming_budgets)/ },
];
/** Rows that something differed by. */
const used = new Set<string>();

const NEAR = 1e-6;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b));

/** Metrics that are here: by their names, and not on the list of those that are not. */
const isHere = (series: string): boolean => {
  const name = series.slice(0, series.indexOf('{'));
  return name !== OF_THE_APP && (OTHER_TYPE.has(name) || !notHere.includes(`\`${name}\``));
};

/** Series whose values are not the original's, with both. */
const differing = (original: SeriesValues, own: SeriesValues): readonly string[] =>
  [...new Set([...Object.keys(original), ...Object.keys(own)])]
    .filter(isHere)
    .filter((series) => {
      const [theirs, here] = [original[series] ?? 0, own[series] ?? 0];
      if (isNear(theirs, here)) return false;
      const reason = accepted.find((each) => each.series.test(series));
      if (reason !== undefined) used.add(reason.row);
      return reason === undefined || reason.holds?.(theirs, here) === false;
    })
    .map((series) => `${series}: original ${original[series] ?? 0}, here ${own[series] ?? 0}`)
    .sort();

describe('the script that the original played', () => {
  const totals = new MetricTotals();
  let played: ReadonlyMap<string, Values>;

  beforeAll(async () => {
    played = await play(totals);
  });

  test.each(recording.steps)('$name › counts and shows the same', ({ name, counts, gauges }) => {
    const { metrics } = recording;
    const own = played.get(name);
    expect(differing(inFormOf(metrics, counts), inFormOf(metrics, own?.counts ?? {}))).toEqual([]);
    expect(differing(inFormOf(metrics, gauges), inFormOf(metrics, own?.gauges ?? {}))).toEqual([]);
  });

  test('has metrics of the same types', () => {
    const types = Object.entries(recording.metrics).filter(([name]) => isHere(`${name}{`) && !OTHER_TYPE.has(name));
    expect(types.map(([name]) => [name, totals.types.get(name)])).toEqual(types.map(([name, { type }]) => [name, type]));
  });

  test.each(accepted)('$row › differs, and the page says why', ({ row }) => {
    expect(used).toContain(row);
    expect(page).toContain(`| ${row}`);
  });
});
