import { readFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import type { Node, NodePool } from '@karpenter/core';
import type { KarpenterOptions } from '@karpenter/core/controllers';
import type { CapacityBuffer } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { aBuffer, aTemplate } from './capacity-buffer-story.ts';
import { MetricLedger } from './metric-ledger.ts';
import type { ScrapedMetric } from './metric-ledger.ts';
import { aStoppedStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool, storyTemplate } from './story-objects.ts';
import { LEAVES_AT_ANNOTATION, TroubledProvider } from './troubled-provider.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const MINUTE = 60_000;
const { signal } = new AbortController();
/** Metrics of what happens to pods, nodes and claims. Passes that change nothing do not count in them. */
const EVENTFUL = /^karpenter_(nodeclaims|nodes|pods|consolidation|voluntary_disruption_(decisions_total|decisions_by|failed|queue))/;

type Growth = Readonly<Record<string, number>>;

// What each step adds in the original, by its source at main of August 2026: the file in which it counts stands beside it.

/** `provisioning/provisioner.go`, `lifecycle/registration.go`. */
const growthOfCreation = (reason: string): Growth => ({
  [`karpenter_nodeclaims_created_total{min_values_relaxed="false",nodepool="general",reason="${reason}"}`]: 1,
});
const joined: Growth = { 'karpenter_nodes_created_total{nodepool="general",zone="sim-1"}': 1 };
/** `metrics/pod/controller.go`. */
const started = (pods: number): Growth => ({
  'karpenter_pods_bound_duration_seconds{} observations': pods,
  'karpenter_pods_startup_duration_seconds{} observations': pods,
});

/** `state/cluster.go`, `metrics/pod/controller.go`: of pods that waited for a plan. */
const growthOfPlanning = (pods: number): Growth => ({
  'karpenter_pods_scheduling_decision_duration_seconds{} observations': pods,
  'karpenter_pods_provisioning_bound_duration_seconds{} observations': pods,
  'karpenter_pods_provisioning_startup_duration_seconds{} observations': pods,
});

interface Disrupted {
  readonly reason: string;
  readonly pods: number;
  readonly policy?: string;
  readonly mode?: string;
}

/** `disruption/queue.go`, `expiration/controller.go`, `health/controller.go`. */
const disrupted = ({ reason, pods, policy = '', mode = 'graceful' }: Disrupted): Growth => {
  const labels = `capacity_type="on-demand",consolidation_policy="${policy}",nodepool="general",reason="${reason}",termination_mode="${mode}"`;
  const counted = { [`karpenter_nodeclaims_disrupted_total{${labels}}`]: 1 };
  return pods === 0 ? counted : { ...counted, [`karpenter_pods_disruption_initiated_total{${labels}}`]: pods };
};
/** `terminator/eviction.go`. */
const evicted = (pods: number, reason: string): Growth => ({
  'karpenter_pods_eviction_requests_total{code="200"}': pods,
  [`karpenter_pods_drained_total{reason="${reason}"}`]: pods,
});
/** `lifecycle/controller.go`. */
const claimGone: Growth = {
  'karpenter_nodeclaims_instance_termination_duration_seconds{nodepool="general"} observations': 1,
  'karpenter_nodeclaims_terminated_total{capacity_type="on-demand",nodepool="general",zone="sim-1"}': 1,
  'karpenter_nodeclaims_termination_duration_seconds{nodepool="general"} observations': 1,
};
/** `termination/controller.go`. */
const nodeGone: Growth = {
  'karpenter_nodes_terminated_total{nodepool="general",zone="sim-1"}': 1,
  'karpenter_nodes_termination_duration_seconds{nodepool="general"} observations': 1,
  'karpenter_nodes_lifetime_duration_seconds{nodepool="general"} observations': 1,
};
const drained: Growth = { 'karpenter_nodes_drained_total{nodepool="general"}': 1 };
const gone: Growth = { ...drained, ...nodeGone, ...claimGone };
const replaced: Growth = { ...joined, ...gone };

/** `disruption/queue.go`, `disruption/balanced.go`. */
const decided = (decision: string, reason: string, type: string): Growth => ({
  [`karpenter_voluntary_disruption_decisions_total{consolidation_type="${type}",decision="${decision}",reason="${reason}"}`]: 1,
  [`karpenter_voluntary_disruption_decisions_by_nodepool_total{consolidation_type="${type}",decision="${decision}",nodepool="general",reason="${reason}"}`]: 1,
});
const moved: Growth = {
  'karpenter_consolidation_moves_total{decision="approved",nodepool="general",policy="WhenEmptyOrUnderutilized"}': 1,
};

/** Every series of the stories below. */
const scraped = new Map<string, ScrapedMetric>();

const startMeasured = async (cloud: object = {}, options: KarpenterOptions = {}) => {
  const ledger = new MetricLedger(scraped);
  const story = await aStoppedStoryCluster(options);
  Object.assign(story.cloud, cloud);
  story.metrics = ledger.metrics;
  story.start();
  return {
    story,
    /** What has been counted once so many pods run on so many nodes and nothing else is under way. */
    counted: async (pods: number, nodes: number, withinMs = 30 * MINUTE): Promise<Growth> => {
      const isSo = async () =>
        (await runningPodCount(story)) === pods && (await story.claims()).length === nodes && (await story.nodes()).length === nodes;
      await story.until(`${pods} pods run on ${nodes} nodes`, isSo, withinMs);
      await story.pass(1000);
      ledger.scrape();
      return ledger.take(EVENTFUL);
    },
    counts: () => ledger.take(EVENTFUL),
    shown: (name: string) => ledger.shown(name),
    [Symbol.asyncDispose]: () => story[Symbol.asyncDispose](),
  };
};
/** On-demand machines of some types only. */
const sized = (...types: readonly string[]): Pick<NodePool['spec'], 'template'> => {
  const { template } = aStoryPool().spec;
  const { requirements } = template.spec;
  const ofTypes = { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: types };
  return { template: { ...template, spec: { ...template.spec, requirements: [...requirements, ofTypes] } } };
};

/** A quantity of cpu in cores. */
const cores = (quantity = ''): number => (quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity));

/** The node says that its disk is broken. */
const breakDisk = async (story: StoryCluster, { metadata: { name }, status }: Node): Promise<void> => {
  const lastTransitionTime = new Date(story.clock.now()).toISOString();
  const conditions = [...(status?.conditions ?? []), { type: 'DiskBroken', status: 'True', lastTransitionTime }];
  await story.kube.patchStatus('Node', { name }, { type: 'merge', body: { status: { conditions } } });
};

/** The only node says that its disk is broken; waits until it is gone. */
const fallIll = async (story: StoryCluster): Promise<void> => {
  const [node] = await story.nodes();
  if (node === undefined) throw new Error('there is a node');
  const { name } = node.metadata;
  await breakDisk(story, node);
  await story.until('it is replaced', async () => (await story.claims()).every(({ metadata }) => metadata.name !== name));
};
const nothingMayGo: KubeObject & { readonly spec: object } = {
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'all', namespace: 'default' } },
  ...{ spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } } },
};

/** Of a launch that failed for want of capacity: what its claim counts, without the pods and the next claim. */
const countsOfRefusal = async ({ story, counts }: Awaited<ReturnType<typeof startMeasured>>): Promise<Growth> => {
  await story.until('its claim is gone', () => story.decisions.some(({ kind }) => kind === 'claim-terminated'));
  return Object.fromEntries(Object.entries(counts()).filter(([series]) => /nodeclaims_(disrupted|terminat)/.test(series)));
};

describe('what Karpenter counts is what the original counts', () => {
  test('when pods get a node, it drifts, is consolidated, keeps running after an abandoned command and becomes empty', async () => {
    await using scene = await startMeasured();
    const { story, counted } = scene;
    await story.create(aStoryPool(), aStoryDeployment(12));
    expect(await counted(12, 1)).toEqual({ ...growthOfCreation('provisioned'), ...joined, ...growthOfPlanning(12), ...started(12) });

    const labels = { spec: { template: { metadata: { labels: { team: 'a' } } } } };
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: labels });
    await story.until('a replacement comes', async () => (await story.claims()).length === 2);
    const drift = { ...decided('replace', 'drifted', ''), ...growthOfCreation('drifted'), ...disrupted({ reason: 'drifted', pods: 12 }) };
    expect(await counted(12, 1)).toEqual({ ...drift, ...evicted(12, 'Drifted'), ...replaced, ...started(12) });

    await story.scale('inflate', 2);
    await story.until('a replacement comes', async () => (await story.claims()).length === 2);
    const policy = 'when_empty_or_underutilized';
    expect(await counted(2, 1)).toEqual({
      ...{ ...moved, ...decided('replace', 'underutilized', 'single'), ...growthOfCreation('underutilized') },
      ...{ ...disrupted({ reason: 'underutilized', pods: 2, policy }), ...evicted(2, 'Underutilized'), ...replaced, ...started(2) },
    });

    await story.scale('inflate', 0);
    await story.pass(12_000);
    await story.scale('inflate', 2);
    await story.until('the command is abandoned', () => story.decisions.some(({ kind }) => kind === 'command-abandoned'), MINUTE);
    expect(await counted(2, 1)).toEqual({
      ...started(2),
      'karpenter_voluntary_disruption_failed_validations_total{consolidation_type="empty"}': 1,
    });

    await story.scale('inflate', 0);
    const empty = { ...decided('delete', 'empty', 'empty'), ...disrupted({ reason: 'empty', pods: 0, policy }) };
    expect(await counted(0, 0)).toEqual({ ...empty, ...gone });
  });

  test('when a node falls ill, a machine vanishes and a disruption budget blocks a drain', async () => {
    const repairPolicies = [{ conditionType: 'DiskBroken', conditionStatus: 'True', tolerationMs: MINUTE }];
    await using scene = await startMeasured({ repairPolicies }, { nodeRepair: true });
    const { story, counted, counts } = scene;
    await story.create(aStoryPool(storyTemplate({ terminationGracePeriod: '2m' })), aStoryDeployment(5));
    await counted(5, 1);
    const mode = 'eventual';

    await fallIll(story);
    expect(await counted(5, 1)).toEqual({
      ...{ ...disrupted({ reason: 'unhealthy', pods: 5, mode }), ...evicted(5, 'Forceful Termination') },
      'karpenter_nodeclaims_unhealthy_disrupted_total{capacity_type="on-demand",condition="disk_broken",image_id="v1",nodepool="general"}': 1,
      ...{ ...growthOfCreation('provisioned'), ...replaced, ...growthOfPlanning(5), ...started(5) },
    });

    const [machine] = await story.cloud.list({ signal });
    story.cloud.loseMachine(machine?.providerId ?? '');
    await story.until('it is gone', async () => (await runningPodCount(story)) === 0);
    expect(await counted(5, 1)).toEqual({
      ...nodeGone,
      ...claimGone,
      ...growthOfCreation('provisioned'),
      ...joined,
      ...growthOfPlanning(5),
      ...started(5),
    });

    await story.create(nothingMayGo);
    await story.kube.delete('Node', { name: (await story.nodes())[0]?.metadata.name ?? '' });
    await story.pass(MINUTE);
    const blocked = counts();
    expect(Object.keys(blocked)).toEqual(['karpenter_pods_eviction_requests_total{code="429"}']);
    await story.until('its pods are deleted', async () => (await runningPodCount(story)) === 0, 5 * MINUTE);
    const { ['karpenter_pods_eviction_requests_total{code="429"}']: refused = 0, ...rest } = await counted(5, 1);
    expect(refused).toBeGreaterThan(0);
    const forced = { 'karpenter_pods_drained_total{reason="Forceful Termination"}': 5 };
    expect(rest).toEqual({ ...forced, ...growthOfCreation('provisioned'), ...replaced, ...growthOfPlanning(5), ...started(5) });
  });

  const isFailed = ([series, count]: readonly [string, number]): boolean => series.includes('state="failed"') && count === 2;

  test('when a node expires, a buffer gets a node, and a launch is refused', async () => {
    await using scene = await startMeasured();
    const { story, counted, shown } = scene;
    await story.create(aStoryPool(storyTemplate({ expireAfter: '5m' })), aStoryDeployment(5));
    await counted(5, 1);
    await story.until('its node expires', async () => (await runningPodCount(story)) === 0);
    expect(await counted(5, 1)).toEqual({
      ...{ ...disrupted({ reason: 'expired', pods: 5 }), ...evicted(5, 'Forceful Termination') },
      ...{ ...growthOfCreation('provisioned'), ...replaced, ...growthOfPlanning(5), ...started(5) },
    });

    await story.create(aTemplate(), aBuffer({ replicas: 4 }));
    expect(await counted(5, 2)).toEqual({ ...growthOfCreation('provisioned'), ...joined });
    // The original has no metric of its own for buffers.
    const chunks = (state: string): number | undefined =>
      Object.entries(shown('karpenter_capacity_buffers_chunks')).find(([series]) => series.includes(`state="${state}"`))?.[1];
    await story.until('there is room for all chunks', () => chunks('ready') === 4);
    expect(['wanted', 'arriving', 'failed'].map(chunks)).toEqual([4, 0, 0]);
    const [price] = Object.values(shown('karpenter_capacity_buffers_price_per_hour'));
    const spare = await story.kube.get<CapacityBuffer>('CapacityBuffer', { namespace: 'default', name: 'spare' });
    expect(price).toBeCloseTo(Number(spare?.status?.pricePerHour));
    await story.create(aTemplate('huge', { cpu: '500' }), aBuffer({ replicas: 2, podTemplateRef: { name: 'huge' } }, 'huge'));
    await story.until('chunks have no place', () => Object.entries(shown('karpenter_capacity_buffers_chunks')).some(isFailed));
    expect(Object.values(shown('karpenter_scheduler_unschedulable_pods_count')).filter((count) => count > 0)).toEqual([]);
    await story.kube.delete('CapacityBuffer', { namespace: 'default', name: 'huge' });

    story.cloud.faults.add({ fault: { kind: 'insufficient-capacity' }, zone: 'sim-1', times: 1 });
    await story.create({ ...aStoryDeployment(12), metadata: { name: 'other', namespace: 'default' } });
    await story.until('the launch is refused', () => story.decisions.some(({ kind }) => kind === 'launch-failed'));
    expect(await countsOfRefusal(scene)).toEqual({
      'karpenter_nodeclaims_disrupted_total{capacity_type="",consolidation_policy="",nodepool="general",reason="insufficient_capacity",termination_mode="graceful"}': 1,
      'karpenter_nodeclaims_terminated_total{capacity_type="",nodepool="general",zone=""}': 1,
      'karpenter_nodeclaims_termination_duration_seconds{nodepool="general"} observations': 1,
    });
  });

  test('when one machine replaces two', async () => {
    await using scene = await startMeasured();
    const { story, counted } = scene;
    await story.create(aStoryPool({ ...sized('sim-c8'), limits: { cpu: '16' } }));
    for (const [index, name] of ['inflate', 'other'].entries()) {
      await story.create({ ...aStoryDeployment(7), metadata: { name, namespace: 'default' } });
      await counted(7 * (index + 1), index + 1);
    }
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: sized('sim-c4', 'sim-c8') } });
    await Promise.all(['inflate', 'other'].map((name) => story.scale(name, 1)));
    const twice = (growth: Growth): Growth => Object.fromEntries(Object.entries(growth).map(([series, by]) => [series, 2 * by]));
    expect(await counted(2, 1)).toEqual({
      ...{ ...moved, ...decided('replace', 'underutilized', 'multi'), ...growthOfCreation('underutilized'), ...joined },
      ...twice(disrupted({ reason: 'underutilized', pods: 1, policy: 'when_empty_or_underutilized' })),
      ...{ ...evicted(2, 'Underutilized'), ...twice(gone), ...started(2) },
    });
  });

  test('when two of three nodes fall ill › nothing, because repair is blocked', async () => {
    const repairPolicies = [{ conditionType: 'DiskBroken', conditionStatus: 'True', tolerationMs: MINUTE }];
    await using scene = await startMeasured({ repairPolicies }, { nodeRepair: true });
    const { story, counted, counts } = scene;
    await story.create(aStoryPool({ ...sized('sim-c4'), disruption: { consolidateAfter: 'Never' } }), aStoryDeployment(9));
    await counted(9, 3);
    for (const node of (await story.nodes()).slice(0, 2)) await breakDisk(story, node);
    await story.pass(5 * MINUTE);
    expect(counts()).toEqual({});
    expect(story.decisions).toContainEqual(expect.objectContaining({ kind: 'repair-blocked' }));
  });

  // The original leaves interruptions to its providers, which count the deletion by a reason of their own.
  test('when the cloud takes a machine back', async () => {
    await using scene = await startMeasured();
    const { story, counted } = scene;
    const cloud = new TroubledProvider({ clock: story.clock, random: () => 1 });
    story.interceptors = { ...story.interceptors, cloud: (provider) => cloud.of(provider) };
    story.restart();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await counted(5, 1);
    const [node] = await story.nodes();
    const annotations = { [LEAVES_AT_ANNOTATION]: String(story.clock.now() + 2 * MINUTE) };
    await story.kube.patch('Node', { name: node?.metadata.name ?? '' }, { type: 'merge', body: { metadata: { annotations } } });
    await story.until('it is gone', async () => (await story.nodes()).every(({ metadata }) => metadata.uid !== node?.metadata.uid));
    expect(await counted(5, 1)).toEqual({
      ...{ ...disrupted({ reason: 'interrupted', pods: 5 }), ...evicted(5, 'Forceful Termination') },
      ...{ ...growthOfCreation('provisioned'), ...replaced, ...growthOfPlanning(5), ...started(5) },
    });
  });

  // `metrics/nodepool/controller.go`, `metrics/node/controller.go`, `metrics/pod/controller.go`: cpu in cores, bytes,
  // `-` as `_`, and labels of the node.
  test('when pods run and one waits › gauges of pools, nodes and pods', async () => {
    await using scene = await startMeasured();
    const { story, counted, shown } = scene;
    await story.create(aStoryPool({ ...sized('sim-c4'), limits: { cpu: '4500m', memory: '1Ti' } }), aStoryDeployment(3));
    await counted(3, 1);
    await story.scale('inflate', 4);
    await story.until('one waits', async () => (await story.pods()).length === 4);
    await story.pass(1000);
    const [node] = await story.nodes();
    const of = (name: string, resource: string): string => `karpenter_nodepools_${name}{nodepool="general",resource_type="${resource}"}`;
    expect(shown('karpenter_nodepools_limit')).toEqual({ [of('limit', 'cpu')]: 4.5, [of('limit', 'memory')]: 2 ** 40 });
    expect(shown('karpenter_nodepools_usage')).toMatchObject({
      [of('usage', 'cpu')]: 4,
      [of('usage', 'nodes')]: 1,
      [of('usage', 'pods')]: 110,
    });
    const allocatable = Object.entries(shown('karpenter_nodes_allocatable')).filter(([series]) => series.includes('resource_type="cpu"'));
    expect(allocatable).toEqual([
      [expect.stringContaining(`node_name="${node?.metadata.name}"`), cores(String(node?.status?.allocatable?.['cpu']))],
    ]);
    expect(allocatable[0]?.[0]).toMatch(
      /capacity_type="on-demand".*instance_type="sim-c4".*managed="true".*nodepool="general".*zone="sim-1"/,
    );
    const states = Object.keys(shown('karpenter_pods_state'));
    expect(states.filter((series) => series.includes('phase="Running"'))).toHaveLength(3);
    const [waiting, ...others] = states.filter((series) => series.includes('scheduled="false"'));
    expect(others).toEqual([]);
    expect(waiting).toMatch(
      /instance_type="",managed="false".*node="",nodepool="",owner="\/apis\/apps\/v1\/namespaces\/default\/replicasets\/.*",phase="Pending",ready="false"/,
    );
  });
});

interface OriginalMetric {
  readonly type: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

const fileOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/**
 * What Karpenter 1.14.1 with its kwok provider showed on a real control plane. There were two runs: 1,000 pods came and
 * 600 of them left; 300 pods with a node each came and 200 left. Label → its values, where these are few; series of
 * nodes without what kubelets say.
 */
const original = JSON.parse(fileOf('./__golden__/scrape-of-original.json')) as Readonly<Record<string, OriginalMetric>>;
const [, differences = ''] = fileOf('../../../../docs/reference/metrics.md').split('## Of the Go original, and not here or not the same');
/** Labels that the kwok provider adds, which are on the ages of nodes only. */
const OF_KWOK = /^instance_(?:cpu|memory|family|size)$/;
/** The class is another one here. */
const shortLabel = (label: string): string => label.replace(/^.*nodeclass$/, 'nodeclass');
/** The app makes it; its labels are compared with the original's as well. */
const OF_THE_APP = 'karpenter_build_info';
/** The original also measures each plan of disruption; here they are in the time of the pass. */
const NOT_HERE = new Set(['controller disruption']);

const sameAsHere = Object.entries(original).filter(([name]) => name !== OF_THE_APP && !differences.includes(`\`${name}\``));

/** Labels with a value that any metric of the stories had. */
const valuesHere = (): ReadonlySet<string> =>
  new Set(
    [...scraped.values()].flatMap(({ labels }) =>
      [...labels].flatMap(([label, values]) => [...values].map((value) => `${label} ${value}`)),
    ),
  );

/** Compared with all series of the stories above: they run first. */
describe('what a running original showed', () => {
  test.each(sameAsHere)('%s has the same type, labels and values of labels here', (name, { type, labels }) => {
    const own = scraped.get(name);
    expect(own?.type).toBe(type);
    const wanted = Object.keys(labels).filter((label) => !OF_KWOK.test(label));
    expect([...(own?.labels.keys() ?? [])].map(shortLabel)).toEqual(expect.arrayContaining(wanted.map(shortLabel)));
    const values = Object.entries(labels).flatMap(([label, of]) => of.map((value) => `${label} ${value}`));
    expect(values.filter((each) => !valuesHere().has(each) && !NOT_HERE.has(each))).toEqual([]);
  });
});
