import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import { aNode, aPod, aSnapshot, awayFrom, labelled, nextTo, requesting, runningOn, spreadOver } from '../builders/index.ts';
import { replayTopology } from './replay-topology.ts';

const zone = 'topology.kubernetes.io/zone';
const web = labelled({ app: 'web' });
const ofWeb = { topologyKey: zone, labelSelector: { matchLabels: { app: 'web' } } };
const evenly = spreadOver({ ...ofWeb, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' });
const size = (cpuMillis: number) => requesting({ cpuMillis });

/** Nodes of three zones by number, with so many web pods each. */
const nodesWith = (...counts: readonly number[]) =>
  counts.map((count, index) => {
    const name = `node-${index + 1}`;
    return aNode({ name, zone: `test-zone-${index + 1}`, pods: Array.from({ length: count }, () => aPod(web, runningOn(name))) });
  });

/** What the replay finds in a plan that puts the pods on these nodes. */
const stuckIn = (nodes: ClusterSnapshot['nodes'], placements: Readonly<Record<string, readonly Pod[]>>): readonly string[] => {
  const snapshot = aSnapshot({ nodes, pending: Object.values(placements).flat() });
  const plan = { ...simulate(aSnapshot(), defaultSchedulingPolicy), placements: new Map(Object.entries(placements)) };
  return replayTopology(snapshot, plan, new Set()).map(({ detail }) => detail);
};

test('a pod that spreads may come between the one that fills the emptiest zone and one that would fill its own', () => {
  const placements = { 'node-2': [aPod(web, size(1900), evenly), aPod(web, size(1000))], 'node-3': [aPod(web, size(1500))] };
  expect(stuckIn(nodesWith(2, 1, 0), placements)).toEqual([]);
});

test('two that spread may come before a third that spreads over something else', () => {
  const byArch = spreadOver({ ...ofWeb, topologyKey: 'kubernetes.io/arch', maxSkew: 9, whenUnsatisfiable: 'DoNotSchedule' });
  const placements = {
    'node-1': [aPod(web, size(250), evenly), aPod(web, size(250), evenly), aPod(web, size(500), byArch)],
    'node-3': [aPod(web, size(250), evenly)],
  };
  expect(stuckIn(nodesWith(0, 1, 0), placements)).toEqual([]);
});

test('when unconstrained pods would fill the zone of one that spreads, it comes once the other zones have pods, before them', () => {
  const within2 = spreadOver({ ...ofWeb, maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' });
  const spread = (count: number) => Array.from({ length: count }, () => aPod(web, size(1500), within2));
  const plain = (count: number, cpuMillis: number) => Array.from({ length: count }, () => aPod(web, size(cpuMillis)));
  const more = ['a', 'b', 'c', 'd', 'e'].map((name) => aNode({ name, zone: 'test-zone-1' }));
  const placements = {
    ...Object.fromEntries(more.map(({ name }) => [name, plain(3, 400)])),
    'node-1': [...spread(1), ...plain(3, 1000), ...plain(5, 300)],
    'node-2': plain(3, 300),
    'node-3': [...spread(4), ...plain(3, 1000)],
  };
  expect(stuckIn([...more, ...nodesWith(2, 0, 0)], placements)).toEqual([]);
});

test('a pod that may be the first of its kind on a host comes before all others of its kind, however small it is', () => {
  const together = nextTo({ ...ofWeb, topologyKey: 'kubernetes.io/hostname' });
  const placements = {
    'node-1': [aPod(web, size(1000)), aPod(web, size(1500), nextTo(ofWeb)), aPod(web, size(1400), nextTo(ofWeb))],
    'node-2': [aPod(web, size(200), together), aPod(web, size(200), together)],
    'node-3': [aPod(web, size(100)), aPod(web, size(1300), nextTo(ofWeb))],
  };
  expect(stuckIn(nodesWith(0, 0, 0), placements)).toEqual([]);
});

test('when pods of other rules would fill one zone, they come once each zone has its share of those that spread (fuzz-0756)', () => {
  const host = { ...ofWeb, topologyKey: 'kubernetes.io/hostname' };
  const joining = (count: number) => Array.from({ length: count }, () => aPod(web, size(300), evenly, nextTo(host)));
  const plain = (count: number, cpuMillis: number) => Array.from({ length: count }, () => aPod(web, size(cpuMillis)));
  const others = (count: number) => Array.from({ length: count }, () => aPod(labelled({ app: 'api' }), size(3000)));
  const perHost = spreadOver({ ...host, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' });
  const small = ['a', 'b', 'c', 'd', 'e'].map((name) => aNode({ name, zone: 'test-zone-1' }));
  const placements = {
    ...Object.fromEntries(small.map(({ name }) => [name, [aPod(web, size(100), perHost)]])),
    'node-1': [...others(2), ...plain(2, 3000), ...joining(2), ...plain(5, 700)],
    'node-2': [...plain(2, 3000), ...joining(3), ...plain(1, 700)],
    'node-3': [...others(1), ...plain(1, 3000), ...joining(3)],
  };
  expect(stuckIn([...small, ...nodesWith(0, 0, 0)], placements)).toEqual([]);
});

test('when two rules fill the same zones, and large pods of neither come last, an order is found (fuzz-0982)', () => {
  const within = (maxSkew: number) => spreadOver({ ...ofWeb, maxSkew, whenUnsatisfiable: 'DoNotSchedule' });
  const strict = (count: number) => Array.from({ length: count }, () => aPod(web, size(700), within(1)));
  const loose = (count: number) => Array.from({ length: count }, () => aPod(web, size(600), within(2)));
  const large = (count: number, cpuMillis: number) => Array.from({ length: count }, () => aPod(web, size(cpuMillis)));
  const others = (count: number) => Array.from({ length: count }, () => aPod(labelled({ app: 'api' }), size(300)));
  const more = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'].map((name) => aNode({ name, zone: `test-zone-${name.slice(1)}` }));
  const placements = {
    'node-1': [...strict(2), ...loose(1)],
    ...Object.fromEntries(['a1', 'b1', 'c1'].map((name) => [name, [...loose(1), ...large(1, 1500)]])),
    ...Object.fromEntries(['a2', 'b2'].map((name) => [name, [...strict(1), ...loose(1), ...large(1, 1500)]])),
    c2: loose(2),
    ...Object.fromEntries(['node-3', 'a3', 'b3', 'c3'].map((name) => [name, [...large(1, 3000), ...others(1)]])),
  };
  expect(stuckIn([...more, ...nodesWith(0, 0, 0)], placements)).toEqual([]);
});

test('what can come in no order is found', () => {
  expect(stuckIn(nodesWith(1, 0, 0), { 'node-1': [aPod(web, evenly)] })).toEqual(['could be bound to node-1 in no order']);
  expect(stuckIn(nodesWith(1, 1, 0), { 'node-1': [aPod(web, evenly), aPod(web, evenly)], 'node-3': [aPod(web)] })).toHaveLength(1);
  expect(stuckIn(nodesWith(0, 0, 0), { 'node-1': [aPod(web)], 'node-2': [aPod(nextTo(ofWeb))] })).toHaveLength(1);
  expect(stuckIn(nodesWith(0, 0, 0), { 'node-1': [aPod(web), aPod(awayFrom(ofWeb))] })).toHaveLength(1);
});
