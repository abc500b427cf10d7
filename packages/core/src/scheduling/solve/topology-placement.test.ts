import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { Affinity, NodeSelectorRequirement, Pod } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import { aQuestion, aRoomyNode, outcomeOf } from '../testing/a-solution.ts';
import type { Outcome, SolveOptions } from '../testing/a-solution.ts';
import { solvingAfresh } from './solve-retries.ts';

const selector = { labelSelector: { matchLabels: { app: 'web' } } };
const nextTo = (topologyKey: string): Affinity => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, ...selector }] },
});
const awayFrom = (topologyKey: string): Affinity => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, ...selector }] },
});
const preferring = (expression: NodeSelectorRequirement): Affinity => ({
  nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [expression] } }] },
});
const alone = { topologyKey: labels.hostname, labelSelector: { matchLabels: { app: 'other' } } };
/** So many equal pods of the app `web`. */
const webPodsWithAffinity = (count: number, cpu: string, affinity: Affinity): readonly Pod[] =>
  Array.from({ length: count }, (_, index) =>
    aPodRequesting({ cpu }, `web-${index}`, { metadata: { labels: { app: 'web' } }, spec: { affinity } }),
  );
const job = (cpu: string): Pod => aPodRequesting({ cpu }, 'job');

const outcome = (pods: readonly Pod[], options: SolveOptions): Outcome => {
  const { places, question } = aQuestion(pods, options);
  return outcomeOf(places, finish(solvingAfresh(places, question)));
};

const memoryBytes = 2 ** 34;
const small = { cpus: 2, memoryBytes, pricePerHour: 1 };
const large = { cpus: 8, memoryBytes, pricePerHour: 10 };
const [smallName, largeName] = ['machine-00', 'machine-01'];

describe('pods that must share a host', () => {
  const together = nextTo(labels.hostname);

  test('when the first node has no room for all › they go to the first that has', () => {
    const nodes = [aRoomyNode('a', 2), aRoomyNode('b', 4), aRoomyNode('c', 4)];
    expect(outcome(webPodsWithAffinity(3, '1', together), { nodes })).toEqual({ onNodes: { b: 3 }, planned: [], unplaced: 0 });
  });

  test('when no node has room for all, and a planned one has › they join it', () => {
    const outcomeWithJob = outcome([job('4'), ...webPodsWithAffinity(3, '1', together)], {
      nodes: [aRoomyNode('a', 2)],
      machines: [small, large],
    });
    expect(outcomeWithJob).toEqual({ onNodes: {}, planned: [[largeName, 4]], unplaced: 0 });
  });

  test('when only a new node has room for all › they get one that has', () => {
    const nodes = [aRoomyNode('a', 2)];
    const planned = [[largeName, 3]];
    expect(outcome(webPodsWithAffinity(3, '1', together), { nodes, machines: [small, large] })).toEqual({
      onNodes: {},
      planned,
      unplaced: 0,
    });
  });

  test.each<[string, Affinity]>([
    ['a zone that the node is in', preferring({ key: labels.zone, operator: 'In', values: ['z1'] })],
    ['a zone that no node is in', preferring({ key: labels.zone, operator: 'In', values: ['z9'] })],
    [
      'other hosts than those of another app',
      { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: alone }] } },
    ],
  ])('when only a new node has room for all, and they prefer %s › they get one that has', (_, preference) => {
    const options = { nodes: [aRoomyNode('a', 1)], machines: [small, large] };
    const planned = [[largeName, 3]];
    expect(outcome(webPodsWithAffinity(3, '1', { ...together, ...preference }), options)).toEqual({ onNodes: {}, planned, unplaced: 0 });
  });

  test.each<[string, Affinity]>([
    ['nothing', {}],
    ['a zone', preferring({ key: labels.zone, operator: 'In', values: ['z1'] })],
  ])('when only a node with soft taints has room for all, and they prefer %s › they go there', (_, preference) => {
    const spare = { ...aRoomyNode('a', 4), taints: [{ key: 'spare', effect: 'PreferNoSchedule' as const }] };
    const options = { nodes: [spare, aRoomyNode('b', 2)] };
    expect(outcome(webPodsWithAffinity(3, '1', { ...together, ...preference }), options)).toEqual({
      onNodes: { a: 3 },
      planned: [],
      unplaced: 0,
    });
  });

  test('when they prefer something, and only a node of their second alternative has room for all › they go there', () => {
    const nodeSelectorTerms = ['z1', 'z2'].map((zone) => ({
      matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [zone] }],
    }));
    const { nodeAffinity } = preferring({ key: 'team', operator: 'In', values: ['x'] });
    const anyOf = { ...together, nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
    const options = { nodes: [aRoomyNode('a', 2, 'z1'), aRoomyNode('b', 4, 'z2')] };
    expect(outcome(webPodsWithAffinity(3, '1', anyOf), options)).toEqual({ onNodes: { b: 3 }, planned: [], unplaced: 0 });
  });

  test('when they would rather have it beside another app, and one such node has room for all › they go there', () => {
    const runs = (name: string, cpus: number) => {
      const other = aPodRequesting({ cpu: '1' }, `on-${name}`, { metadata: { labels: { app: 'other' } }, spec: { nodeName: name } });
      return { ...aRoomyNode(name, cpus), pods: [other] };
    };
    const preferredDuringSchedulingIgnoredDuringExecution = [{ weight: 1, podAffinityTerm: alone }];
    const podAffinity = { ...together.podAffinity, preferredDuringSchedulingIgnoredDuringExecution };
    const options = { nodes: [aRoomyNode('a', 3), runs('b', 2), runs('c', 4)] };
    expect(outcome(webPodsWithAffinity(3, '1', { podAffinity }), options)).toEqual({ onNodes: { c: 3 }, planned: [], unplaced: 0 });
  });

  test('when no node has room for all, whatever is bought › as many as fit on a new one get a place', () => {
    const planned = [[smallName, 2]];
    expect(outcome(webPodsWithAffinity(3, '1', together), { machines: [small] })).toEqual({ onNodes: {}, planned, unplaced: 1 });
  });

  test('when one of them runs already › the others go to its node, although others have more room', () => {
    const running = aPodRequesting({ cpu: '1' }, 'running', { metadata: { labels: { app: 'web' } }, spec: { nodeName: 'a' } });
    const nodes = [{ ...aRoomyNode('a', 3), pods: [running] }, aRoomyNode('b', 8)];
    expect(outcome(webPodsWithAffinity(3, '1', together), { nodes, machines: [large] })).toEqual({
      onNodes: { a: 2 },
      planned: [],
      unplaced: 1,
    });
  });

  test('when there is one of them only › it goes to the first node', () => {
    expect(outcome(webPodsWithAffinity(1, '1', together), { nodes: [aRoomyNode('a', 1), aRoomyNode('b', 8)] }).onNodes).toEqual({ a: 1 });
  });
});

describe('pods that need not share a host', () => {
  test('when the first node has no room for all › they fill it, and go on to the next', () => {
    const nodes = [aRoomyNode('a', 1), aRoomyNode('b', 2), aRoomyNode('c', 3)];
    expect(outcome(webPodsWithAffinity(3, '1', nextTo(labels.zone)), { nodes }).onNodes).toEqual({ a: 1, b: 2 });
  });

  test('when they refuse each other on a host › each gets a node of its own, the cheapest', () => {
    const planned = [
      [smallName, 1],
      [smallName, 1],
    ];
    expect(
      outcome(webPodsWithAffinity(3, '1', awayFrom(labels.hostname)), { nodes: [aRoomyNode('a', 8)], machines: [small, large] }),
    ).toEqual({
      onNodes: { a: 1 },
      planned,
      unplaced: 0,
    });
  });

  test('when they must be near to pods that are nowhere › they get no node', () => {
    const others = webPodsWithAffinity(2, '1', nextTo(labels.hostname)).map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: {} },
    }));
    expect(outcome(others, { machines: [large] })).toEqual({ onNodes: {}, planned: [], unplaced: 2 });
  });
});

describe('pods with topology constraints on planned nodes', () => {
  const inOneZone = nextTo(labels.zone);
  const pair = webPodsWithAffinity(2, '1500m', inOneZone);

  test('when a node grows dearer with one more pod › the pod joins it all the same', () =>
    expect(outcome(pair, { machines: [small, large] }).planned).toEqual([[largeName, 2]]));

  test('when plans are frugal, and a node of its own costs less than the growth › the pod gets one', () =>
    expect(outcome(pair, { machines: [small, large], isFrugal: true }).planned).toEqual([
      [smallName, 1],
      [smallName, 1],
    ]));

  test('when plans are frugal, and the growth costs less than a node of its own › the pod joins', () =>
    expect(outcome(pair, { machines: [small, { ...large, pricePerHour: 1.9 }], isFrugal: true }).planned).toEqual([[largeName, 2]]));

  test('when plans are frugal, and the pool allows no further node › the pod joins at any price', () =>
    expect(outcome(pair, { machines: [small, large], isFrugal: true, pool: { limits: { nodes: '1' } } })).toEqual({
      onNodes: {},
      planned: [[largeName, 2]],
      unplaced: 0,
    }));
});

test('when hundreds of pods with topology constraints are placed › there is a pause every few hundred', () => {
  const { places, question } = aQuestion(webPodsWithAffinity(600, '10m', nextTo(labels.zone)), {
    nodes: [],
    machines: [{ ...large, cpus: 64 }],
  });
  const steps = solvingAfresh(places, question);
  let pauses = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) pauses++;
  expect(pauses).toBeGreaterThanOrEqual(3);
  expect(pauses).toBeLessThanOrEqual(8);
});
