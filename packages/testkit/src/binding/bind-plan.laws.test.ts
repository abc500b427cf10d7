import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshotOf, everyStorage, manyVolumes, someHoldings } from '../arbitraries/index.ts';
import {
  aDaemonSet,
  anInstanceType,
  aNode,
  aPod,
  aSnapshot,
  awayFrom,
  DISK_DRIVER,
  inZone,
  labelled,
  nextTo,
  pods,
  requesting,
  runningOn,
  spreadOver,
  tolerating,
  withClaims,
  withEphemeralVolume,
} from '../builders/index.ts';
import { lawRuns } from '../validator/testing/law-runs.ts';
import { bindPlan } from './bind-plan.ts';
import { whyPending } from './why-pending.ts';

jest.setTimeout(300_000);

/** The cluster with pods that say nothing about where others are. */
const withoutCompany = (snapshot: ClusterSnapshot): ClusterSnapshot => {
  const alone = ({ spec: { topologySpreadConstraints: _, affinity, ...spec }, ...pod }: Pod): Pod => ({
    ...pod,
    spec: affinity?.nodeAffinity === undefined ? spec : { ...spec, affinity: { nodeAffinity: affinity.nodeAffinity } },
  });
  return {
    ...snapshot,
    pendingPods: snapshot.pendingPods.map(alone),
    nodes: snapshot.nodes.map((node) => ({ ...node, pods: node.pods.map(alone) })),
  };
};
const isWeb = { matchLabels: { app: 'web' } };
const web = labelled({ app: 'web' });
const zone = 'topology.kubernetes.io/zone';
const host = 'kubernetes.io/hostname';
const GIB = 1024 ** 3;

describe('kube-scheduler binds what was planned', () => {
  test.each([
    ['pods that ask for room only', pods(12, requesting({ cpuMillis: 900, memoryBytes: GIB }))],
    [
      'pods spread over zones',
      pods(
        7,
        web,
        requesting({ cpuMillis: 900 }),
        spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: isWeb }),
      ),
    ],
    ['pods that keep off each other', pods(5, web, requesting({ cpuMillis: 500 }), awayFrom({ topologyKey: host, labelSelector: isWeb }))],
    ['pods that stay together', pods(4, web, requesting({ cpuMillis: 500 }), nextTo({ topologyKey: host, labelSelector: isWeb }))],
    ['pods of two zones', [...pods(3, inZone('test-zone-1')), ...pods(3, inZone('test-zone-2'))]],
  ])('%s, beside daemons, nominated or not', async (_, pending) => {
    const snapshot = aSnapshot({
      pending,
      daemonSets: [aDaemonSet('logs', requesting({ cpuMillis: 200 }), tolerating({ operator: 'Exists' }))],
    });
    const plan = simulate(snapshot, defaultSchedulingPolicy);
    expect(plan.rejections).toEqual([]);
    expect(await bindPlan(snapshot, plan)).toEqual([]);
    expect(await bindPlan(snapshot, plan, { nominates: true })).toEqual([]);
  });

  test('pods of Services, under the default spread of its own configuration', async () => {
    const service = { kind: 'Service' as const, namespace: 'default', name: 'web', labelSelector: isWeb };
    const defaultSpread = [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const }];
    const there = aNode({ name: 'there', zone: 'test-zone-1', pods: pods(2, web, requesting({ cpuMillis: 100 }), runningOn('there')) });
    const snapshot = aSnapshot({ pending: pods(7, web, requesting({ cpuMillis: 900 })), nodes: [there], podSelectors: [service] });
    const plan = simulate(snapshot, { ...defaultSchedulingPolicy, defaultSpread });
    expect(plan.rejections).toEqual([]);
    expect(await bindPlan(snapshot, plan, { defaultSpread })).toEqual([]);
  });

  test('a plan that honours attach limits, zones of disks and claims that nobody has met yet', async () => {
    const instanceTypes = [anInstanceType({ cpus: 8, volumeLimits: { [DISK_DRIVER]: 2 } })];
    const nodes = [aNode({ name: 'there', zone: 'test-zone-1', volumeLimits: { [DISK_DRIVER]: 1 } })];
    const small = requesting({ cpuMillis: 100 });
    const pending = [
      aPod(small, withClaims('in-zone-1')),
      aPod(small, withClaims('in-zone-2')),
      aPod(small, withClaims('in-zone-2', 'files')),
      aPod(small, withClaims('waiting')),
      aPod(small, withClaims('alone')),
      ...pods(3, small, withEphemeralVolume('scratch', 'anywhere')),
    ];
    const namespaceLabels = new Map([['shop', {}]]);
    const snapshot = aSnapshot({ pending, nodes, instanceTypes, storage: everyStorage, namespaceLabels });
    const plan = simulate(snapshot, defaultSchedulingPolicy);
    expect(plan.rejections).toEqual([]);
    expect(await bindPlan(snapshot, plan)).toEqual([]);
  });

  test.each([
    ['a few volumes', someHoldings],
    ['a volume for every pod', manyVolumes],
  ])('a pod that is alone in its cluster is never left pending, with %s', async (_, holdings) => {
    await fc.assert(
      fc.asyncProperty(aSnapshotOf({ pods: 1, types: 6, holdings }), async (snapshot) => {
        const lone = { ...snapshot, nodes: snapshot.nodes.filter(({ isMarkedForDeletion }) => !isMarkedForDeletion) };
        expect(await bindPlan(lone, simulate(lone, defaultSchedulingPolicy))).toEqual([]);
      }),
      lawRuns({ usual: 25, all: 40 }),
    );
  });

  test.each([
    ['a few volumes', someHoldings],
    ['a volume for every pod', manyVolumes],
  ])('whatever the cluster, a pod is left pending only because of where others were bound, with %s', async (_, holdings) => {
    await fc.assert(
      fc.asyncProperty(aSnapshotOf({ pods: 24, types: 6, holdings }), async (snapshot) => {
        const pending = await bindPlan(snapshot, simulate(snapshot, defaultSchedulingPolicy));
        expect(pending.filter((each) => whyPending(each, snapshot) === 'rules')).toEqual([]);
      }),
      lawRuns({ usual: 16, all: 40 }),
    );
  });
  test.each(['by-name', 'largest-first'] as const)(
    'every pod that is nominated is bound, arriving %s, if none cares where others are',
    async (arrival) => {
      await fc.assert(
        fc.asyncProperty(aSnapshotOf({ pods: 24, types: 6 }).map(withoutCompany), async (snapshot) => {
          const pending = await bindPlan(snapshot, simulate(snapshot, defaultSchedulingPolicy), { arrival, nominates: true });
          expect(pending.filter((each) => whyPending(each, snapshot) !== 'volume')).toEqual([]);
        }),
        lawRuns({ usual: 25, all: 60 }),
      );
    },
  );
});

const waiting = aSnapshot({ storage: everyStorage });
const madeElsewhere = "0/3 nodes are available: 3 node(s) didn't match PersistentVolume's node affinity.";

test.each([
  ['had no volume yet', 'waiting', 'volume'],
  ['was bound before', 'in-zone-1', 'rules'],
])('a volume that is out of reach was made where another pod went, only if its claim %s', (_, claim, why) => {
  expect(whyPending({ pod: aPod(withClaims(claim)), message: madeElsewhere }, waiting)).toBe(why);
});

test.each([
  ['0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: batch}.', 'room'],
  ['0/3 nodes are available: 3 node(s) exceed max volume count.', 'room'],
  ["0/3 nodes are available: 3 node(s) didn't satisfy existing pods anti-affinity rules.", 'company'],
  ["0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label).", 'rules'],
  ["0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.", 'rules'],
])('"%s" is about %s', (message, why) => expect(whyPending({ pod: aPod(), message }, aSnapshot({}))).toBe(why));
