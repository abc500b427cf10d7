import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import { createKarpenter } from '../create-karpenter.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { recordingMetrics } from '../fixtures/recording-metrics.ts';
import { nodeClassRef } from '../../testing/objects.ts';

/** The most series of gauges that a node with its claim may cost where single objects are shown. */
const SERIES_A_NODE = 44;
/** The most that a pod costs there once it runs. */
const SERIES_A_POD = 1;
/** The most that a NodePool costs. Its conditions are shown only where single objects are shown. */
const SERIES_A_POOL = 40;
/** Of the process itself. */
const SERIES_AT_ALL = 20;

const POOLS = 10;
const { signal } = new AbortController();
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const createdAt = '2026-01-01T00:00:00Z';

const conditionsOf = (...types: readonly string[]) =>
  types.map((type) => ({ type, status: 'True', reason: type, lastTransitionTime: createdAt }));

const limits = { cpu: '200m', memory: '1Gi' };
const resources = { requests: { cpu: '100m', memory: '1Gi', 'ephemeral-storage': '1Gi' }, limits };

const podOfKindOn = (nodeName: string, kind: 'ReplicaSet' | 'DaemonSet') => ({
  metadata: {
    name: `${nodeName}-${kind.toLowerCase()}`,
    namespace: 'shop',
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'x' }],
  },
  spec: { nodeName, containers: [{ name: 'main', resources }] },
  status: { phase: 'Running' },
});

/** A claim, its node as AKS makes it, and a pod of each sort on it. */
const seedNumberedMachine = (cluster: FakeCluster, index: number): void => {
  const name = `node-${index}`;
  const labels = {
    'karpenter.sh/nodepool': `pool-${index % POOLS}`,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
  };
  const room = { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0', pods: '110' };
  const providerID = `test://${name}`;
  cluster.seed('NodeClaim', {
    metadata: { name, labels },
    spec: { requirements: [], nodeClassRef },
    status: {
      providerID,
      nodeName: name,
      conditions: conditionsOf('Launched', 'Registered', 'Initialized', 'Ready', 'Consolidatable', 'Drifted'),
    },
  });
  cluster.seed('Node', {
    metadata: { name, labels, creationTimestamp: createdAt },
    spec: { providerID },
    status: {
      capacity: room,
      allocatable: { ...room, cpu: '3800m', memory: '13Gi', 'ephemeral-storage': '90Gi' },
      conditions: conditionsOf('Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'),
    },
  });
  cluster.seed('Pod', podOfKindOn(name, 'ReplicaSet'));
  cluster.seed('Pod', podOfKindOn(name, 'DaemonSet'));
};

const seedPool = (cluster: FakeCluster, index: number): void => {
  cluster.seed('NodePool', {
    metadata: { name: `pool-${index}` },
    spec: { template: { spec: { requirements: [], nodeClassRef } }, limits: { cpu: '1000', memory: '4Ti', nodes: '200' } },
    status: { conditions: conditionsOf('Ready', 'NodeClassReady', 'ValidationSucceeded', 'NodeRegistrationHealthy') },
  });
};

/** How many series the gauges have, by metric, once everything that keeps them has run. */
const seriesOf = async (nodes: number, showsObjects: boolean): Promise<ReadonlyMap<string, number>> => {
  const cluster = new FakeCluster();
  for (let index = 0; index < POOLS; index++) seedPool(cluster, index);
  for (let index = 0; index < nodes; index++) seedNumberedMachine(cluster, index);
  const { provider, events } = fakeShell(cluster);
  const { metrics, seriesByName } = recordingMetrics();
  const { singletons } = createKarpenter({
    ...{ kube: cluster, caches: cluster.caches, provider, events, metrics, clock: fakeClock(Date.UTC(2026, 0, 1)), logger: silent },
    ...{ policy: defaultSchedulingPolicy, options: { showsObjects } },
  });
  const keepers = singletons.filter(({ name }) => ['metrics.state', 'metrics.cost', 'status.conditions'].includes(name));
  for (const keeper of keepers) await keeper.reconcile({ signal });
  return seriesByName();
};

const total = (series: ReadonlyMap<string, number>): number => [...series.values()].reduce((sum, count) => sum + count, 0);

test('1,000 nodes in 10 NodePools keep within the budget where single objects are shown', async () => {
  const series = await seriesOf(1000, true);
  expect(series.get('karpenter_nodes_allocatable')).toBe(4000);
  expect(series.get('karpenter_nodes_total_pod_requests')).toBe(4000);
  expect(total(series)).toBeLessThanOrEqual(1000 * (SERIES_A_NODE + 2 * SERIES_A_POD) + POOLS * SERIES_A_POOL + SERIES_AT_ALL);
});

test('where they are not, nodes cost no series', async () => {
  const series = await seriesOf(1000, false);
  expect(series.get('karpenter_nodepools_usage')).toBe(POOLS * 7);
  expect(series).toEqual(await seriesOf(10, false));
  expect(total(series)).toBeLessThanOrEqual(POOLS * SERIES_A_POOL + SERIES_AT_ALL);
});
