import { describe, expect, test } from '@jest/globals';
import type { PodPreference } from '../pod-classes/pod-preferences.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm, Relaxation } from '../pod-classes/node-term.ts';
import type { NewNode, Run } from '../nodes/new-nodes/new-node.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks, Group } from '../topology/group.ts';
import { CountedTally } from '../topology/domain-table.ts';
import { RelaxedTally } from './relaxed-tally.ts';
import { weightRelaxed } from './relaxed-weights.ts';
import type { Places, Solution } from './solve.ts';

describe('the tally of preferences that pods are placed without', () => {
  const classWith = (count: number): PodClass =>
    ({ preferences: Array.from({ length: count }, () => ({}) as PodPreference) }) as Partial<PodClass> as PodClass;

  test('counts preference by preference, and what those cost that were too dear', () => {
    const [tally, web] = [new RelaxedTally(), classWith(2)];
    tally.add(web, [{ preference: 1 }]);
    tally.add(web, [{ preference: 1, costPerHour: 0.5 }, { preference: 0 }]);
    tally.add(web, [{ preference: 1, costPerHour: 0.25 }]);
    expect(tally.of(web)).toEqual([
      { podCount: 1, pricedCount: 0, costPerHour: 0 },
      { podCount: 3, pricedCount: 2, costPerHour: 0.75 },
    ]);
  });

  test('knows nothing of a class that got all of them, and each class apart', () => {
    const [tally, web, job] = [new RelaxedTally(), classWith(1), classWith(1)];
    tally.add(web, []);
    tally.add(job, [{ preference: 0 }]);
    expect([tally.of(web), tally.of(job)?.length]).toEqual([undefined, 1]);
  });
});

describe('the weight of the preferences that pods lack once all are placed', () => {
  /** Node 0 is there, node 1 is planned. Pods of the group are counted by node. */
  const groupOn = (key: number, ...counts: readonly number[]): Group => {
    const counter = new CountedTally();
    for (const [domain, count] of counts.entries()) counter.add(domain, count);
    return { key, counter } as Partial<Group> as Group;
  };
  const none = { antiAffinity: [], spreads: [], affinity: [] };
  const awayFrom = (group: Group): Checks => ({ keys: [], host: { ...none, antiAffinity: [group] }, wide: none });
  const awayFromZoneOf = (group: Group): Checks => ({ keys: [], host: none, wide: { ...none, antiAffinity: [group] } });
  /** The weight of each preference and its checks; without checks it is about labels. */
  const classWith = (preferences: readonly (readonly [number, Checks?])[], countedBy: readonly Group[] = []): PodClass =>
    ({
      preferences: preferences.map(([weight]) => ({ weight }) as Partial<PodPreference> as PodPreference),
      topology: { countedBy, checksOfPreference: (index: number) => preferences[index]?.[1] } as Partial<ClassTopology> as ClassTopology,
    }) as Partial<PodClass> as PodClass;
  const runOf = (podClass: PodClass, count: number, relaxation: Relaxation = 'required'): Run =>
    ({ podClass, count, term: { relaxation } as Partial<NodeTerm> as NodeTerm }) as Partial<Run> as Run;

  interface Seats {
    readonly onNode?: readonly Run[];
    readonly onNewNode?: readonly Run[];
    readonly hasTopology?: boolean;
  }
  const lackedBy = (podClass: PodClass, { onNode = [], onNewNode = [], hasTopology = true }: Seats, tally = new RelaxedTally()): number => {
    const topology = { domainsOfNode: (node: number) => () => node, domainsOfNewNode: (number: number) => () => number + 1 };
    const places = { existing: { log: onNode.map((run) => ({ ...run, node: 0 })) }, withTopology: hasTopology ? { topology } : undefined };
    const newNode = { runs: onNewNode, fit: {} } as Partial<NewNode> as NewNode;
    const solution = { newNodes: [newNode], relaxed: tally } as Partial<Solution> as Solution;
    return weightRelaxed(places as unknown as Places, solution, [{ podClass, pods: [] }]);
  };

  test('are those about other pods that do not hold, node by node', () => {
    const web = classWith([[10, awayFrom(groupOn(-1, 0, 1))]]);
    expect(lackedBy(web, { onNode: [runOf(web, 2)], onNewNode: [runOf(web, 4)] })).toBe(40);
    const job = classWith([[10, awayFrom(groupOn(-1, 1, 0))]]);
    expect(lackedBy(job, { onNode: [runOf(job, 2)], onNewNode: [runOf(job, 4)] })).toBe(20);
  });

  test('are also those about zones', () => {
    const web = classWith([[10, awayFromZoneOf(groupOn(0, 3, 0))]]);
    expect(lackedBy(web, { onNode: [runOf(web, 2)], onNewNode: [runOf(web, 4)] })).toBe(20);
  });

  test.each([
    ['host', -1, awayFrom],
    ['zone', 0, awayFromZoneOf],
  ] as const)('do not count the pod itself on its %s', (_, key, away) => {
    const [alone, crowded] = [groupOn(key, 1, 1), groupOn(key, 2, 2)];
    const web = classWith([[10, away(alone)]], [alone]);
    expect(lackedBy(web, { onNode: [runOf(web, 1)], onNewNode: [runOf(web, 1)] })).toBe(0);
    const job = classWith([[10, away(crowded)]], [crowded]);
    expect(lackedBy(job, { onNode: [runOf(job, 1)], onNewNode: [runOf(job, 1)] })).toBe(20);
  });

  test('are those about labels that pods were placed without, and of those about other pods only what does not hold now', () => {
    const web = classWith([[10], [20, awayFrom(groupOn(-1, 0, 0))], [10]]);
    const tally = new RelaxedTally();
    tally.add(web, [{ preference: 0 }, { preference: 1 }]);
    tally.add(web, [{ preference: 2 }]);
    expect(lackedBy(web, { onNode: [runOf(web, 2)] }, tally)).toBe(20);
    expect(lackedBy(web, { onNode: [runOf(web, 2)], hasTopology: false }, tally)).toBe(20);
  });

  test('are none for pods without rules about others that got the labels they prefer', () => {
    const { topology: _, ...web } = classWith([[10]]);
    expect(lackedBy(web as PodClass, { onNode: [runOf(web as PodClass, 2)] })).toBe(0);
  });

  test('are untainted nodes where soft taints are tolerated, which weigh 100', () => {
    const web = classWith([]);
    expect(lackedBy(web, { onNode: [runOf(web, 2, 'soft-taints'), runOf(web, 8)], onNewNode: [runOf(web, 1, 'soft-taints')] })).toBe(300);
  });
});
