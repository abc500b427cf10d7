import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Pod, SchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import {
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  awayFrom,
  inZone,
  labelled,
  named,
  nextTo,
  requesting,
  spreadOver,
  withNodeSelector,
} from '../builders/index.ts';
import type { PodTrait, SnapshotOptions } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const policy: SchedulingPolicy = { ...defaultSchedulingPolicy, packing: 'first-fit' };
const GIB = 1024 ** 3;
const hostKey = 'kubernetes.io/hostname';
const zoneKey = 'topology.kubernetes.io/zone';
const app = (name: string) => ({ labelSelector: { matchLabels: { app: name } } });

/** A pod that opens a node of its own; the more cpu, the sooner. */
const opener = (name: string, cpuMillis: number, ...traits: readonly PodTrait[]): Pod =>
  aPod(
    named(name),
    requesting({ cpuMillis }),
    labelled({ app: 'opener' }),
    awayFrom({ ...app('opener'), topologyKey: hostKey }),
    ...traits,
  );

const spread = (maxSkew: number): PodTrait =>
  spreadOver({ ...app('spread'), maxSkew, topologyKey: zoneKey, whenUnsatisfiable: 'DoNotSchedule' });

/** Small pods of one class, spread over the zones. */
const spreads = (count: number, maxSkew: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) =>
    aPod(named(`s-${index}`), requesting({ cpuMillis: 100 }), labelled({ app: 'spread' }), spread(maxSkew)),
  );

/** Planned node by planned node, the names of its pods; which of several alike is where does not matter. */
const nodesIn = (cluster: SnapshotOptions): readonly string[] => {
  const snapshot = aSnapshot(cluster);
  const plan = simulate(snapshot, policy, () => false);
  expect(validatePlan(snapshot, policy, plan)).toEqual([]);
  expect(plan.rejections).toEqual([]);
  return plan.plannedNodes.map(({ pods }) => pods.map(({ metadata }) => metadata.name.split('-')[0]).join(' ')).toSorted();
};

const nodesOf = (...pending: readonly Pod[]): readonly string[] => nodesIn({ pending, instanceTypes: [anInstanceType({ cpus: 8 })] });

describe('pods that care about zones go, of the planned nodes that may take them,', () => {
  const inThreeZones = ['1', '2', '3'].map((zone) => opener(`n${zone}`, 4000 - Number(zone), inZone(`test-zone-${zone}`)));
  const filler = (zone: string): Pod => aPod(named(`f${zone}`), requesting({ cpuMillis: 500 }), inZone(`test-zone-${zone}`));

  test('to the one with the fewest pods, then to the oldest', () => {
    expect(nodesOf(...inThreeZones, filler('1'), ...spreads(1, 9))).toEqual(['n1 f1', 'n2 s', 'n3']);
    expect(nodesOf(...inThreeZones, filler('1'), ...spreads(2, 9))).toEqual(['n1 f1', 'n2 s', 'n3 s']);
    expect(nodesOf(...inThreeZones, filler('1'), ...spreads(3, 9))).toEqual(['n1 f1 s', 'n2 s', 'n3 s']);
    expect(nodesOf(...inThreeZones, filler('1'), filler('2'), ...spreads(1, 9))).toEqual(['n1 f1', 'n2 f2', 'n3 s']);
    expect(nodesOf(...inThreeZones, filler('2'), filler('3'), ...spreads(1, 9))).toEqual(['n1 s', 'n2 f2', 'n3 f3']);
  });

  test('to a fuller one, where the emptier ones are in zones that have enough of them', () => {
    expect(nodesOf(...inThreeZones, filler('1'), ...spreads(6, 1))).toEqual(['n1 f1 s s', 'n2 s s', 'n3 s s']);
  });

  test('to those that had no zone before one of them came, as to any other of that zone', () => {
    const anywhere = [4003, 4002, 4001].map((cpuMillis, index) => opener(`n${index}`, cpuMillis));
    expect(nodesOf(...anywhere, ...spreads(6, 1))).toEqual(['n0 s s', 'n1 s s', 'n2 s s']);
    expect(nodesOf(...anywhere, ...spreads(7, 1))).toEqual(['n0 s s s', 'n1 s s', 'n2 s s']);
  });

  test('to those that they have opened themselves', () => {
    expect(nodesOf(...spreads(7, 1))).toEqual(['s s', 's s', 's s s']);
  });

  test('to those that they have opened after the others were full', () => {
    const full = [
      ...inThreeZones.slice(0, 1),
      ...[1, 2, 3].map((index) => aPod(named(`f-${index}`), requesting({ cpuMillis: 1200 }), inZone('test-zone-1'))),
    ];
    const bound = Array.from({ length: 4 }, (_, index) =>
      aPod(named(`s-${index}`), requesting({ cpuMillis: 700 }), labelled({ app: 'spread' }), spread(9), inZone('test-zone-1')),
    );
    expect(nodesOf(...full, ...bound)).toEqual(['n1 f f f', 's s s s']);
  });

  test('to none that has the cpus on one of its types and the memory on another', () => {
    const instanceTypes = [
      anInstanceType({ name: 'cpus', cpus: 8, memoryBytes: 4 * GIB }),
      anInstanceType({ name: 'memory', cpus: 2, memoryBytes: 32 * GIB }),
    ];
    const even = Array.from({ length: 4 }, (_, index) => {
      const own = requesting({ cpuMillis: 900, memoryBytes: 1.8 * GIB });
      return aPod(named(`s-${index}`), own, labelled({ app: 'spread' }), spread(9), inZone('test-zone-1'));
    });
    expect(nodesIn({ pending: [opener('n1', 7500, inZone('test-zone-1')), ...even], instanceTypes })).toEqual(['n1', 's s', 's s']);
  });

  test('to the first whose other labels they may have', () => {
    const teamed = (name: string, cpuMillis: number, team: string) =>
      opener(name, cpuMillis, withNodeSelector({ team, [zoneKey]: 'test-zone-1' }));
    const nodePools = [aNodePool({ requirements: [{ key: 'team', operator: 'In', values: ['red', 'blue'] }] })];
    const blue = aPod(
      named('s'),
      requesting({ cpuMillis: 100 }),
      labelled({ app: 'spread' }),
      spread(9),
      withNodeSelector({ team: 'blue' }),
    );
    const pending = [teamed('n1', 4000, 'red'), teamed('n2', 3900, 'red'), teamed('n3', 3800, 'blue'), blue];
    expect(nodesIn({ pending, nodePools })).toEqual(['n1', 'n2', 'n3 s']);
  });

  test.each<[string, number, readonly string[]]>([
    ['younger', 900, ['n1 f f|u s', 'n1 f f|u s s', 'n1 f f s|u s s', 'n1 f f s|u s s s', 'n1 f f s s|u s s s']],
    ['older', 7000, ['n1 f f|u s', 'n1 f f|u s s', 'n1 f f|u s s s', 'n1 f f s|u s s s', 'n1 f f s|u s s s s']],
  ])('to one that has come to their zone, and is the %s one, in its turn', (_, cpuMillis, expected) => {
    const fillers = [1, 2].map((index) => aPod(named(`f-${index}`), requesting({ cpuMillis: 1000 }), inZone('test-zone-1')));
    const others = [...inThreeZones.slice(0, 1), opener('u', cpuMillis), ...fillers];
    expect([1, 2, 3, 4, 5].map((count) => nodesOf(...others, ...spreads(count, 9)).join('|'))).toEqual(expected);
  });

  test('to where their company is, the emptiest first', () => {
    const company = aPod(named('c'), requesting({ cpuMillis: 500 }), labelled({ app: 'company' }), inZone('test-zone-2'));
    const friend = (name: string): Pod =>
      aPod(named(name), requesting({ cpuMillis: 100 }), nextTo({ ...app('company'), topologyKey: zoneKey }));
    const second = opener('n4', 3900, inZone('test-zone-2'));
    expect(nodesOf(...inThreeZones, second, company, friend('a-1'), friend('a-2'))).toEqual(['n1', 'n2 c a', 'n3', 'n4 a']);
  });
});
