import { expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import type { Requirements } from '../../requirements/index.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { pureDecisions } from '../shell.ts';
import { Rehearsal } from './rehearsal.ts';

const context = { signal: new AbortController().signal, shouldStop: () => false };

const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: { template: { spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } } } },
};

const zones = ['z1', 'z2', 'z3'];

const requirementsInZone = (zone: string): Requirements =>
  new Map([[labels.zone, { key: labels.zone, values: { kind: 'in', values: new Set([zone]) }, mayBeAbsent: false }]]);

const catalogOf = (cpuMillis: number): readonly InstanceType[] => [
  {
    name: `m${cpuMillis}`,
    requirements: new Map(),
    offerings: zones.map((zone) => ({
      zone,
      capacityType: 'on-demand',
      pricePerHour: 1,
      isAvailable: true,
      requirements: requirementsInZone(zone),
    })),
    capacity: { cpu: cpuMillis, memory: 64 * 1024 ** 3, pods: 110 },
    overhead: {},
  },
];

const snapshotWith = (instanceTypes: readonly InstanceType[]): ClusterSnapshot => ({
  ...{ nodes: [], pendingPods: [], daemonSets: [], podDisruptionBudgets: [], namespaceLabels: new Map() },
  nodePools: [{ nodePool, instanceTypes, usage: {} }],
});

/** How many pods each plan of a rehearsal in full is for. */
const IN_FULL = [64, 5, 5, 5, 5, 5];

const podsIn = ({ plannedNodes }: Plan): number => plannedNodes.flatMap(({ pods }) => pods).length;

/** A rehearsal over the real planner, the snapshots that it planned for, and the plans that it dropped. */
const rehearsing = () => {
  const shell = fakeShell(new FakeCluster());
  const dropped: Plan[] = [];
  const seen: ClusterSnapshot[] = [];
  const decisions = {
    ...pureDecisions,
    *planning(...args: Parameters<typeof pureDecisions.planning>) {
      seen.push(args[0]);
      const plan = yield* pureDecisions.planning(...args);
      dropped.push(plan);
      return plan;
    },
  };
  const start = () => new Rehearsal(shell, decisions, defaultSchedulingPolicy);
  return { shell, dropped, seen, rehearsal: start(), start };
};

test('when catalogs are new › plans are made for many pods and for a few, and nothing comes of them', async () => {
  const { shell, dropped, rehearsal } = rehearsing();
  await rehearsal.run(snapshotWith(catalogOf(16_000)), context);
  expect(dropped.flatMap(({ rejections }) => rejections)).toEqual([]);
  expect(dropped.map(podsIn)).toEqual(IN_FULL);
  expect(shell.caches.nodeClaims.list()).toEqual([]);
  expect(shell.reported).toEqual([]);
  expect(shell.recorded).toEqual([]);
});

test('when catalogs are the same as last time › nothing is planned again', async () => {
  const { dropped, rehearsal } = rehearsing();
  const catalog = catalogOf(16_000);
  await rehearsal.run(snapshotWith(catalog), context);
  await rehearsal.run(snapshotWith(catalog), context);
  expect(dropped.map(podsIn)).toEqual(IN_FULL);
});

test('when the provider offers something else › the plan is made for that catalog too', async () => {
  const { dropped, rehearsal } = rehearsing();
  await rehearsal.run(snapshotWith(catalogOf(16_000)), context);
  await rehearsal.run(snapshotWith(catalogOf(32_000)), context);
  const names = dropped.map(({ plannedNodes }) => plannedNodes[0]?.cheapest.instanceType.name);
  expect(names).toEqual([...IN_FULL.map(() => 'm16000'), 'm32000']);
});

test('when the process has rehearsed before › a few pods compile the catalogs', async () => {
  const { dropped, rehearsal, start } = rehearsing();
  await rehearsal.run(snapshotWith(catalogOf(16_000)), context);
  await start().run(snapshotWith(catalogOf(16_000)), context);
  expect(dropped.map(podsIn)).toEqual([...IN_FULL, 6]);
});

test('when no pool may launch › nothing is planned', async () => {
  const { dropped, rehearsal } = rehearsing();
  await rehearsal.run({ ...snapshotWith([]), nodePools: [] }, context);
  expect(dropped).toEqual([]);
});

test('when nodes run › none of them is planned with', async () => {
  const { seen, rehearsal } = rehearsing();
  await rehearsal.run({ ...snapshotWith(catalogOf(16_000)), nodes: [aBareNode({ name: 'deadly', isMarkedForDeletion: true })] }, context);
  expect(seen.map(({ nodes }) => nodes)).toEqual(IN_FULL.map(() => []));
});

test('when time is up › the plan ends', async () => {
  const { dropped, rehearsal } = rehearsing();
  await rehearsal.run(snapshotWith(catalogOf(16_000)), { ...context, shouldStop: () => true });
  expect(dropped[0]?.rejections.map(({ reason }) => reason.kind)).toContain('stopped');
});
