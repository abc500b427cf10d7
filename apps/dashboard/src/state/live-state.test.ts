import { expect, test } from '@jest/globals';
import { simulate } from '@karpenter/core';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { aSource, ownNode, podsOfDeployment } from '../testing/a-source.ts';
import type { DashboardState } from './dashboard-state.ts';
import { LiveState } from './live-state.ts';
import { changeBetween, withChange } from './state-feed.ts';

const startMs = Date.UTC(2026, 0, 1);

test('the state shows fill, price, limits and matching types of the cluster', () => {
  const { nodes, totals, pools } = new LiveState(aSource()).read(startMs);
  expect(nodes[0]).toMatchObject({
    name: 'node-a',
    cpuShares: [250, 250, 250],
    memoryShares: [63, 63, 63],
    pricePerHour: 0.2,
    state: 'ready',
  });
  expect(totals).toMatchObject({ nodes: 2, pods: 3, pendingPods: 1, cpuShare: 0.375, pricePerHour: 0.4, unknownPrices: 0 });
  expect(pools[0]).toMatchObject({
    name: 'default',
    nodes: 2,
    matchingTypes: 4,
    limits: [{ resource: 'cpu', used: '8', limit: '16', share: 0.5 }],
  });
  expect(pools[0]?.cheapestTypes[0]).toMatchObject({ name: 'type-2', cpu: '2', memory: '8Gi', capacityType: 'spot' });
});

test('bytes of limits are shown as a person reads them', () => {
  const nodePool = aNodePool({ limits: { memory: '256Gi', 'ephemeral-storage': '500Mi' } });
  const view = { nodePool, instanceTypes: [], usage: { memory: 79_456_894_975, 'ephemeral-storage': 0 } };
  const { pools } = new LiveState({ ...aSource(), snapshot: () => aSnapshot({ nodePoolViews: [view] }) }).read(startMs);
  expect(pools[0]?.limits).toMatchObject([
    { resource: 'ephemeral-storage', used: '0', limit: '500Mi' },
    { resource: 'memory', used: '74Gi', limit: '256Gi' },
  ]);
});

test('a pending pod has the reason of the last plan, and none before the first', () => {
  const source = aSource();
  const live = new LiveState(source);
  expect(live.read(startMs).pending).toMatchObject([{ reason: 'waits for the next plan', count: 1 }]);
  live.note({ kind: 'plan-computed', plan: simulate(source.cluster, source.policy), pods: 1, durationMs: 3, atMs: startMs }, startMs);
  const { pending, decisions } = live.read(startMs);
  expect(pending[0]?.reason).toMatch(/^found no place: it asks for 99 cpu/);
  expect(decisions).toMatchObject([{ title: 'Plan 1 pending pod: 0 new nodes, 1 pod without a place', outcome: 'failed' }]);
});

test('a node that a pass of disruption left says why', () => {
  const source = aSource();
  const live = new LiveState(source);
  const [node] = source.cluster.nodes;
  if (node === undefined) throw new Error('there is a node');
  expect(live.read(startMs).nodes[0]?.heldBy).toBe('');
  live.note({ kind: 'nodes-kept', kept: [{ node, blocker: { kind: 'pdb', pod: 'shop/web-1', budget: 'shop/web' } }] }, startMs);
  expect(live.read(startMs).nodes[0]?.heldBy).toBe('PDB shop/web');
});

test('a change holds only what changed, and leads from the one state to the other', () => {
  const source = aSource();
  const live = new LiveState(source);
  const before = live.read(startMs);
  expect(changeBetween(before, live.read(startMs + 100))).toBeUndefined();
  const [first] = source.cluster.nodes;
  if (first === undefined) throw new Error('there is a node');
  source.cluster = aSnapshot({ nodes: [first, ownNode('node-c', podsOfDeployment('web', 1, 500))] });
  const after = live.read(startMs + 6000);
  const change = changeBetween(before, after);
  expect(change).toMatchObject({ changedNodes: [{ name: 'node-c' }], goneNodes: ['node-b'], addedPrices: [{ atMs: startMs + 6000 }] });
  expect(change).not.toHaveProperty('isLeader');
  const sorted = (state: DashboardState) => ({ ...state, nodes: [...state.nodes].sort((a, b) => (a.name < b.name ? -1 : 1)) });
  expect(change && sorted(withChange(before, change))).toEqual(sorted(after));
});
