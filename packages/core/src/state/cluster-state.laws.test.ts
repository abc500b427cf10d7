import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import fc from 'fast-check';
import { compareText } from '../base/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';
import { FakeCluster } from '../ports/fixtures/fake-cluster.ts';
import { defaultLabelCatalog } from '../requirements/index.ts';
import { ClusterState } from './cluster-state.ts';
import { nodeClassRef } from '../testing/objects.ts';
const type = { name: 'm8', requirements: new Map(), offerings: [], capacity: { cpu: 8000 }, overhead: {} };
const provider = {
  name: 'test',
  getSupportedNodeClasses: () => [{ ...nodeClassRef, version: 'v1', plural: 'testnodeclasses' }],
  labelCatalog: defaultLabelCatalog,
  repairPolicies: [],
  getInstanceTypes: () => Promise.resolve([type]),
} as unknown as CloudProvider;

type Change = (cluster: FakeCluster) => void;

const pools = ['general', 'other'];
const nodeNames = ['n0', 'n1', 'n2'];
const ids = ['test:///0', 'test:///1', 'test:///2'];
const anId = fc.option(fc.constantFrom(...ids), { nil: undefined });
const now = '2026-01-01T00:00:00Z';

const nodeChanges = fc
  .record({
    name: fc.constantFrom(...nodeNames),
    providerID: anId,
    pool: fc.constantFrom(...pools),
    cpu: fc.constantFrom('4', '8'),
    stage: fc.constantFrom(
      {},
      { 'karpenter.sh/registered': 'true' },
      { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' },
    ),
    taint: fc.constantFrom('node.kubernetes.io/not-ready', 'readiness.k8s.io/rule', 'agent', 'dedicated'),
    isGoing: fc.boolean(),
  })
  .map(
    ({ name, providerID, pool, cpu, stage, taint, isGoing }): Change =>
      (cluster) =>
        cluster.seed('Node', {
          metadata: { name, uid: name, labels: { 'karpenter.sh/nodepool': pool, ...stage }, ...(isGoing && { deletionTimestamp: now }) },
          spec: { ...(providerID !== undefined && { providerID }), taints: [{ key: taint, effect: 'NoSchedule' }] },
          status: { capacity: { cpu }, allocatable: { cpu } },
        }),
  );

const claimChanges = fc.record({ index: fc.nat(3), providerID: anId, pool: fc.constantFrom(...pools), isGoing: fc.boolean() }).map(
  ({ index, providerID, pool, isGoing }): Change =>
    (cluster) =>
      cluster.seed('NodeClaim', {
        metadata: {
          name: `c${index}`,
          uid: `c${index}`,
          labels: { 'karpenter.sh/nodepool': pool },
          ...(isGoing && { deletionTimestamp: now }),
        },
        spec: {
          nodeClassRef: index === 3 ? { ...nodeClassRef, group: 'other.dev' } : nodeClassRef,
          requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m8'] }],
          startupTaints: [{ key: 'agent', effect: 'NoSchedule' }],
          resources: { requests: { cpu: '3' } },
        },
        // The cloud gives an id to one claim only.
        status: { ...(providerID !== undefined && { providerID: `${providerID.slice(0, -1)}${index}` }), capacity: { cpu: '6' } },
      }),
);

const podChanges = fc
  .record({
    name: fc.constantFrom('p0', 'p1', 'p2', 'p3'),
    life: fc.nat(2),
    nodeName: fc.option(fc.constantFrom(...nodeNames), { nil: undefined }),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    group: fc.option(fc.constantFrom('train', 'web'), { nil: undefined }),
  })
  .map(({ name, life, nodeName, phase, group }): Change => (cluster) => {
    const before = cluster.kind('Pod').objects.get(`default/${name}`) as Pod | undefined;
    const isSame = before?.metadata.uid === `${name}-${life}`;
    const node = isSame ? (before.spec.nodeName ?? nodeName) : nodeName;
    // A cache says that a pod is gone before it says that another has its name.
    if (before !== undefined && !isSame) cluster.kind('Pod').remove(before as Pod & KubeObject);
    cluster.seed('Pod', {
      metadata: {
        ...{ name, namespace: 'default', uid: `${name}-${life}` },
        ...(group !== undefined && { labels: { 'scheduling.x-k8s.io/pod-group': group } }),
      },
      spec: { containers: [{ name: 'main', ports: [{ containerPort: 80, hostPort: 80 }] }], ...(node !== undefined && { nodeName: node }) },
      status: { phase, conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    });
  });

const otherChanges = fc.oneof(
  fc.record({ name: fc.constantFrom(...nodeNames), count: fc.nat(3) }).map(
    ({ name, count }): Change =>
      (cluster) =>
        cluster.seed('CSINode', { metadata: { name }, spec: { drivers: [{ name: 'disk', nodeID: name, allocatable: { count } }] } }),
  ),
  fc.record({ name: fc.constantFrom('train', 'web'), minMember: fc.nat(3) }).map(
    ({ name, minMember }): Change =>
      (cluster) =>
        cluster.seed('PodGroup', { metadata: { name, namespace: 'default' }, spec: { minMember } }),
  ),
);

const removals = fc
  .record({ kind: fc.constantFrom('Node', 'NodeClaim', 'Pod', 'CSINode', 'PodGroup'), index: fc.nat(3) })
  .map(({ kind, index }): Change => (cluster) => {
    const object = [...cluster.kind(kind).objects.values()][index];
    if (object !== undefined) cluster.kind(kind).remove(object);
  });

const changes = fc.array(fc.oneof(nodeChanges, claimChanges, podChanges, otherChanges, removals), { minLength: 1, maxLength: 25 });

const stateOf = async (cluster: FakeCluster): Promise<() => ClusterSnapshot> => {
  const clock = fakeClock();
  const state = new ClusterState({ caches: cluster.caches, provider, clock, reporter: { report: () => undefined }, nominationMs: 20_000 });
  await state.refreshCatalogs(new AbortController().signal);
  return () => state.snapshot(clock.now());
};

const byName = <T extends { readonly metadata: { readonly uid?: string } }>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => compareText(a.metadata.uid ?? '', b.metadata.uid ?? ''));

/** A snapshot in the order of names. */
const sorted = ({ nodePools, nodes, pendingPods, podGroups = new Map(), ...rest }: ClusterSnapshot) => ({
  ...rest,
  nodePools: nodePools.map(({ usage, ...pool }) => ({ ...pool, usage: Object.entries(usage).filter(([, amount]) => amount !== 0) })),
  nodes: nodes.map((node) => ({ ...node, pods: byName(node.pods) })).sort((a, b) => compareText(a.name, b.name)),
  pendingPods: byName(pendingPods),
  podGroups: [...podGroups].sort(([a], [b]) => compareText(a, b)),
});

describe('the state of a cluster', () => {
  test('after any changes is that of a process that has just read the cluster', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const cluster = new FakeCluster();
        for (const name of pools)
          cluster.seed('NodePool', { metadata: { name }, spec: { template: { spec: { requirements: [], nodeClassRef } } } });
        const snapshot = await stateOf(cluster);
        for (const [index, change] of all.entries()) {
          change(cluster);
          if (index % 3 === 0) snapshot();
        }
        const fresh = await stateOf(cluster);
        expect(sorted(snapshot())).toEqual(sorted(fresh()));
      }),
      { numRuns: 100 },
    );
  });
});
