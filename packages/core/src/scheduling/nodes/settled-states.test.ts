import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { RequirementSpec } from '../../apis/index.ts';
import type { CheckList, Checks, Group } from '../topology/group.ts';
import { DomainTable } from '../topology/domain-table.ts';
import { GroupTable } from '../topology/group.ts';
import { onlyValueOf } from './node-model.ts';
import { aState } from '../testing/a-template.ts';
import type { PoolOptions } from '../testing/a-template.ts';
import { fitOf } from './fit.ts';
import { priceOf } from '../packing/unit-prices.ts';
import type { Fit, NodeState } from './node-model.ts';
import { bestState, settledStates } from './settled-states.ts';

const machine = { cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 2, zones: ['z1', 'z2', 'z3'] };
/** In z3 there is a cheaper machine than elsewhere. */
const machines = [machine, { ...machine, pricePerHour: 1, zones: ['z3'] }];
const racks: RequirementSpec = { key: 'rack', operator: 'In', values: ['r1', 'r2'] };
const nobody: CheckList = { antiAffinity: [], spreads: [], affinity: [] };
const [RACK, ZONE] = [0, 1];

/** The table of racks and zones, in which a group over one of them counts some pods. */
const aTable = () => {
  const domains = new DomainTable(['rack', labels.zone]);
  const groups = new GroupTable();
  const groupOver = (key: number, counts: Readonly<Record<string, number>>): Group => {
    const topologyKey = domains.keys[key] ?? '';
    const matcher = { text: JSON.stringify(counts), matches: () => true, indexKeys: [] };
    const group = groups.intern('matched', { key, topologyKey, matcher });
    for (const [value, count] of Object.entries(counts)) {
      group.counter.add(domains.domainOfNode({ labels: { [topologyKey]: value } } as Partial<NodeViewOf> as NodeViewOf, key), count);
    }
    return group;
  };
  return { domains, groupOver };
};
type NodeViewOf = Parameters<DomainTable['domainOfNode']>[0];

type Table = ReturnType<typeof aTable>;
const checksFor = (keys: readonly number[], wide: Partial<CheckList> = {}): Checks => ({
  keys,
  host: nobody,
  wide: { ...nobody, ...wide },
});
const spreadOf = (group: Group) => ({ group, maxSkew: 9, minDomains: 1, self: 1 as const });

/** Rack and zone of each state that a new node of the pool may settle in, in the order in which they are tried. */
const settledIn = (pool: PoolOptions, checksOf: (table: Table) => Checks): readonly string[] => {
  const table = aTable();
  const ranking = { checks: checksOf(table), domains: table.domains };
  return [...settledStates(aState(machines, pool), ranking)].map(({ requirements }) =>
    ['rack', labels.zone]
      .flatMap((key) => {
        const own = requirements.get(key);
        if (own === undefined) return [];
        return own.mayBeAbsent ? ['none'] : [onlyValueOf(own) ?? 'open'];
      })
      .join(' '),
  );
};

describe('where a node settles', () => {
  const racked: PoolOptions = { requirements: [racks] };
  test.each<[string, readonly string[], Parameters<typeof settledIn>]>([
    ['is open while nobody asks', ['open'], [racked, () => checksFor([])]],
    ['is each of the domains, the cheapest first', ['z3', 'z1', 'z2'], [{}, () => checksFor([ZONE])]],
    [
      'is each pair of domains of two requested keys',
      ['r1 z3', 'r1 z1', 'r1 z2', 'r2 z3', 'r2 z1', 'r2 z2'],
      [racked, () => checksFor([RACK, ZONE])],
    ],
    ['is open in what nobody asks about', ['r1', 'r2'], [racked, () => checksFor([RACK])]],
    [
      'is where there are fewest of those that are spread, before it is where it is cheapest',
      ['z2', 'z1', 'z3'],
      [{}, ({ groupOver }) => checksFor([ZONE], { spreads: [spreadOf(groupOver(ZONE, { z1: 1, z3: 2 }))] })],
    ],
    [
      'is where there are fewest by all spreads together',
      ['r2 z3', 'r2 z1', 'r1 z3', 'r1 z1', 'r2 z2', 'r1 z2'],
      [
        racked,
        ({ groupOver }) =>
          checksFor([RACK, ZONE], { spreads: [spreadOf(groupOver(RACK, { r1: 2 })), spreadOf(groupOver(ZONE, { z1: 1, z2: 4 }))] }),
      ],
    ],
    [
      'is nowhere where others keep it out',
      ['z3', 'z2'],
      [{}, ({ groupOver }) => checksFor([ZONE], { antiAffinity: [groupOver(ZONE, { z1: 1 })] })],
    ],
    [
      'is nowhere at all where they are everywhere',
      [],
      [{}, ({ groupOver }) => checksFor([ZONE], { antiAffinity: [groupOver(ZONE, { z1: 1, z2: 1, z3: 1 })] })],
    ],
    ['is without the label where the pool gives none', [''], [{}, () => checksFor([RACK])]],
    [
      'is never with a label that it might have done without',
      ['none z3', 'none z1', 'none z2'],
      [{ requirements: [{ key: 'rack', operator: 'NotIn', values: ['r9'] }] }, () => checksFor([RACK, ZONE])],
    ],
  ])('%s', (_, expected, asked) => expect(settledIn(...asked)).toEqual(expected));
});

describe('of the states for a load', () => {
  const sold = Array.from({ length: 40 }, (_, index) => ({
    ...machine,
    cpus: 1 + index,
    pricePerHour: 1 + (index % 7),
    zones: index % 3 === 0 ? ['z1', 'z2', 'z3'] : [`z${1 + (index % 2)}`],
  }));
  const [CAPACITY, TYPE] = [labels.capacityType, labels.instanceType];
  const keys = [CAPACITY, TYPE, labels.zone];

  /** What is tried of the states, and which of them is the best. */
  const triedFor = (cpuMillis: number, counts: Readonly<Record<string, number>>) => {
    const domains = new DomainTable(keys);
    const groups = new GroupTable();
    const topologyKey = labels.zone;
    const group = groups.intern('matched', { key: 2, topologyKey, matcher: { text: 'all', matches: () => true, indexKeys: [] } });
    for (const [value, count] of Object.entries(counts))
      group.counter.add(domains.domainOfNode({ labels: { [topologyKey]: value } } as Partial<NodeViewOf> as NodeViewOf, 2), count);
    const state = aState(sold);
    const { template } = state;
    const used = Float64Array.from(template.resourceNames, (name) => (name === 'cpu' ? cpuMillis : 0));
    const fitIn = (each: NodeState): Fit | undefined => fitOf(each, used, template.everyType);
    const ranking = { checks: checksFor([0, 1, 2], { spreads: [spreadOf(group)] }), domains };
    const asked: NodeState[] = [];
    const best = bestState(state, ranking, () => ({
      load: { used, allowedTypes: template.everyType },
      fitIn: (each) => {
        asked.push(each);
        return fitIn(each);
      },
    }));
    return {
      best,
      asked,
      all: [...settledStates(state, ranking)],
      fitIn,
      podsIn: (each: NodeState) => group.counter.at(domains.domainOfState(each, 2)),
    };
  };

  test.each([
    [0, {}],
    [9_500, {}],
    [25_000, { z1: 1 }],
    [39_500, { z1: 2, z2: 1 }],
    [41_000, {}],
  ])('with %i thousandths of a core the best is the first of the cheapest among the emptiest (%j)', (cpuMillis, counts) => {
    const { best, all, fitIn, podsIn } = triedFor(cpuMillis, counts);
    const priced = all.flatMap((state) => {
      const fit = fitIn(state);
      return fit === undefined ? [] : [{ state, podCount: podsIn(state), price: priceOf(fit) }];
    });
    const [first] = priced.toSorted((a, b) => a.podCount - b.podCount || a.price - b.price);
    expect(best).toBe(first?.state);
  });

  test('only those are made that may be better than what was found', () => {
    const { asked, all } = triedFor(9_500, {});
    expect(all.length).toBeGreaterThan(60);
    expect(asked.length).toBeLessThan(12);
  });
});
