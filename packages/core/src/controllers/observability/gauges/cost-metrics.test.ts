import { expect, test } from '@jest/globals';
import { requeueAfter } from '@karpenter/runtime';
import type { NodePool } from '../../../apis/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { recordingMetrics } from '../../fixtures/recording-metrics.ts';
import { costMetrics } from './pool-gauges.ts';

const { signal } = new AbortController();
const offering = { zone: 'z1', isAvailable: false, requirements: new Map() };
const types: readonly InstanceType[] = [
  {
    ...{ name: 'small', requirements: new Map(), capacity: {}, overhead: {} },
    offerings: [
      { ...offering, capacityType: 'on-demand', pricePerHour: 0.5 },
      { ...offering, capacityType: 'spot', pricePerHour: 0.125 },
    ],
  },
];

const seedSoldMachine = (cluster: FakeCluster, name: string, [nodepool, size, capacityType]: readonly [string, string, string]): void => {
  const labels = {
    'karpenter.sh/nodepool': nodepool,
    'node.kubernetes.io/instance-type': size,
    'karpenter.sh/capacity-type': capacityType,
    'topology.kubernetes.io/zone': 'z1',
  };
  const nodeClassRef = { group: 'test.dev', kind: 'TestNodeClass', name: 'default' };
  cluster.seed('NodeClaim', { metadata: { name, labels }, spec: { requirements: [], nodeClassRef }, status: { providerID: name } });
};

test('a pool costs what its machines are sold for, whether or not more of them are available', async () => {
  const cluster = new FakeCluster();
  const pool = (name: string, kind = 'TestNodeClass') => ({
    metadata: { name },
    spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind, name: 'default' } } } },
  });
  for (const each of [pool('a'), pool('empty'), pool('silent'), pool('foreign', 'OtherNodeClass')]) cluster.seed('NodePool', each);
  seedSoldMachine(cluster, 'a-1', ['a', 'small', 'on-demand']);
  seedSoldMachine(cluster, 'a-2', ['a', 'small', 'spot']);
  seedSoldMachine(cluster, 'a-3', ['a', 'no-longer-sold', 'spot']);
  seedSoldMachine(cluster, 'a-4', ['a', 'small', 'spot']);
  seedSoldMachine(cluster, 'silent-1', ['silent', 'small', 'spot']);
  const shell = fakeShell(cluster, {
    getInstanceTypes: ({ metadata }: NodePool) =>
      metadata.name === 'silent' ? Promise.reject(new CloudProviderError('network', 'not now')) : Promise.resolve(types),
  });
  const { metrics, read } = recordingMetrics();
  const controller = costMetrics(shell, metrics);
  expect(read('karpenter_nodepools_cost_total')).toEqual([]);
  expect(await controller.reconcile({ signal })).toEqual(requeueAfter(30_000));
  expect(read('karpenter_nodepools_cost_total')).toEqual([
    { labels: { nodepool: 'a' }, value: 0.75 },
    { labels: { nodepool: 'empty' }, value: 0 },
  ]);
});
