import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { finish } from '../../base/index.ts';
import type { Pod, PodSpec } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import { aQuestion, aRoomyNode, outcomeOf, pausesOf } from '../testing/a-solution.ts';
import type { Outcome, SolveOptions } from '../testing/a-solution.ts';
import { solvingAfresh } from './solve-retries.ts';

const solved = (pods: readonly Pod[], options: SolveOptions): Outcome => {
  const { places, question } = aQuestion(pods, options);
  return outcomeOf(places, finish(solvingAfresh(places, question)));
};

const equalPods = (count: number, cpu: string, spec: Partial<PodSpec> = {}): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => aPodRequesting({ cpu }, `${cpu}-${index}`, { spec }));
const roomyMachine = (cpus: number, pricePerHour = cpus) => ({ cpus, memoryBytes: 2 ** 34, pricePerHour });
const [first, second] = ['machine-00', 'machine-01'];

describe('pods without topology constraints', () => {
  test('when nodes that are there have room for some › the others join planned ones, then new ones, each pod once', () => {
    const nodes = [aRoomyNode('a', 1)];
    const machines = [roomyMachine(8)];
    const pods = [...equalPods(1, '5'), ...equalPods(3, '1')];
    expect(solved(pods, { nodes, machines })).toEqual({ onNodes: { a: 1 }, planned: [[first, 3]], unplaced: 0 });
    const more = [...equalPods(1, '5'), ...equalPods(6, '1')];
    const planned = [
      [first, 4],
      [first, 2],
    ];
    expect(solved(more, { nodes, machines })).toEqual({ onNodes: { a: 1 }, planned, unplaced: 0 });
  });

  test('when one of two alternatives has room for some › the others take the other', () => {
    const zones = ['z1', 'z2'].map((zone) => ({ matchExpressions: [{ key: labels.zone, operator: 'In' as const, values: [zone] }] }));
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: zones } } };
    const away = { topologyKey: labels.hostname, labelSelector: { matchLabels: { app: 'nobody' } } };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [away] };
    const nodes = [aRoomyNode('a', 1), aRoomyNode('b', 8, 'z2')];
    const expected = { onNodes: { a: 1, b: 2 }, planned: [], unplaced: 0 };
    expect(solved(equalPods(3, '1', { affinity }), { nodes })).toEqual(expected);
    expect(solved(equalPods(3, '1', { affinity: { ...affinity, podAntiAffinity } }), { nodes })).toEqual(expected);
  });

  test('when dozens of nodes are planned › there is a pause every few', () => {
    const pauses = pausesOf(equalPods(40, '1500m'), { machines: [roomyMachine(2)] });
    expect([pauses >= 3, pauses <= 6]).toEqual([true, true]);
  });

  test('when nodes that are there meet the last of many alternatives › there is a pause every few alternatives', () => {
    const racks = Array.from({ length: 159 }, (_, index) => ({
      matchExpressions: [{ key: `example.com/rack-${index}`, operator: 'Exists' as const }],
    }));
    const zone = { matchExpressions: [{ key: labels.zone, operator: 'Exists' as const }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [...racks, zone] } } };
    const pods = equalPods(1, '1', { affinity });
    const nodes = [aRoomyNode('a', 1)];
    expect(solved(pods, { nodes })).toEqual({ onNodes: { a: 1 }, planned: [], unplaced: 0 });
    const pauses = pausesOf(pods, { nodes });
    expect([pauses >= 10, pauses <= 14]).toEqual([true, true]);
  });
});

describe('pods without topology constraints in a frugal plan', () => {
  const machines = [roomyMachine(2, 1), roomyMachine(8, 10)];
  const [alone, shared] = [
    [
      [first, 1],
      [first, 1],
    ],
    [[second, 2]],
  ];

  test('when a node of its own costs less than the growth of another › each pod gets one, and no more than are wanted', () => {
    expect(solved(equalPods(2, '1500m'), { machines }).planned).toEqual(shared);
    expect(solved(equalPods(2, '1500m'), { machines, isFrugal: true }).planned).toEqual(alone);
    const nodes = [aRoomyNode('a', 2)];
    expect(solved(equalPods(3, '1500m'), { machines, nodes, isFrugal: true })).toEqual({ onNodes: { a: 1 }, planned: alone, unplaced: 0 });
  });

  test('when growth costs less than a node of its own › pods share', () => {
    expect(solved(equalPods(2, '1500m'), { machines: [roomyMachine(2, 1), roomyMachine(8, 1.9)], isFrugal: true }).planned).toEqual(shared);
  });

  test('when the pool allows no further node › pods join at any price, as many as have room', () => {
    const pool = { limits: { nodes: '1' } };
    expect(solved(equalPods(7, '1500m'), { machines, pool, isFrugal: true })).toEqual({
      onNodes: {},
      planned: [[second, 5]],
      unplaced: 2,
    });
  });

  test('when pods of two sizes come › the second may grow a node as far as one of its own costs', () => {
    const small = solved([...equalPods(1, '1500m'), ...equalPods(1, '600m')], { machines, isFrugal: true });
    expect(small.planned).toEqual(alone);
  });
});

describe('pods that must be near to others, which come later', () => {
  const app = (name: string, cpu: string, { near, count = 1 }: { near?: string; count?: number } = {}): readonly Pod[] =>
    Array.from({ length: count }, (_, index) => {
      const term = near !== undefined && { topologyKey: labels.zone, labelSelector: { matchLabels: { app: near } } };
      const affinity = term && { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
      return aPodRequesting({ cpu }, `${name}-${index}`, { metadata: { labels: { app: name } }, ...(affinity && { spec: { affinity } }) });
    });

  test('when the others have come › as many get a place as have room', () => {
    const pods = [...app('web', '2', { near: 'db', count: 2 }), ...app('db', '1')];
    expect(solved(pods, { nodes: [aRoomyNode('a', 4)] })).toEqual({ onNodes: { a: 2 }, planned: [], unplaced: 1 });
    expect(solved(pods, { nodes: [aRoomyNode('a', 8)] })).toEqual({ onNodes: { a: 3 }, planned: [], unplaced: 0 });
  });

  test('when the others wait for others again › they are tried until none gets a place', () => {
    const chain = [...app('web', '3', { near: 'cache' }), ...app('cache', '2', { near: 'db' }), ...app('db', '1')];
    expect(solved(chain, { nodes: [aRoomyNode('a', 8)] }).onNodes).toEqual({ a: 3 });
  });

  test('when the time is up › they are not tried again', () => {
    let calls = 0;
    const pods = [...app('web', '2', { near: 'db' }), ...app('db', '1')];
    const options = { nodes: [aRoomyNode('a', 8)], shouldStop: () => ++calls > 2 };
    expect(solved(pods, options)).toEqual({ onNodes: { a: 1 }, planned: [], unplaced: 1 });
  });

  test('when it was up before the turn of some › those are not tried again either', () => {
    let calls = 0;
    const pods = [...app('db', '3'), ...app('web', '2', { near: 'db' })];
    const options = { nodes: [aRoomyNode('a', 8)], shouldStop: () => ++calls === 2 };
    expect(solved(pods, options)).toEqual({ onNodes: { a: 1 }, planned: [], unplaced: 1 });
  });
});
