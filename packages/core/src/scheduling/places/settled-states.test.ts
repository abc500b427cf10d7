import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { RequirementSpec } from '../../apis/index.ts';
import type { CheckList, Checks, Group } from '../topology/group.ts';
import { DomainTable } from '../topology/domain-table.ts';
import { GroupTable } from '../topology/group.ts';
import { onlyValueOf } from './node-model.ts';
import { aState } from '../testing/a-template.ts';
import type { PoolOptions } from '../testing/a-template.ts';
import { settledStates } from './settled-states.ts';

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
const asking = (keys: readonly number[], wide: Partial<CheckList> = {}): Checks => ({ keys, host: nobody, wide: { ...nobody, ...wide } });
const spreadOf = (group: Group) => ({ group, maxSkew: 9, minDomains: 1, self: 1 as const });

/** Rack and zone of each state that a new node of the pool may settle in, in the order in which they are tried. */
const settledIn = (pool: PoolOptions, checksOf: (table: Table) => Checks): readonly string[] => {
  const table = aTable();
  return settledStates(aState(machines, pool), checksOf(table), table.domains).map(({ requirements }) =>
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
    ['is open while nobody asks', ['open'], [racked, () => asking([])]],
    ['is each of the domains, the cheapest first', ['z3', 'z1', 'z2'], [{}, () => asking([ZONE])]],
    [
      'is each pair of domains of two requested keys',
      ['r1 z3', 'r1 z1', 'r1 z2', 'r2 z3', 'r2 z1', 'r2 z2'],
      [racked, () => asking([RACK, ZONE])],
    ],
    ['is open in what nobody asks about', ['r1', 'r2'], [racked, () => asking([RACK])]],
    [
      'is where there are fewest of those that are spread, before it is where it is cheapest',
      ['z2', 'z1', 'z3'],
      [{}, ({ groupOver }) => asking([ZONE], { spreads: [spreadOf(groupOver(ZONE, { z1: 1, z3: 2 }))] })],
    ],
    [
      'is where there are fewest by all spreads together',
      ['r2 z3', 'r2 z1', 'r1 z3', 'r1 z1', 'r2 z2', 'r1 z2'],
      [
        racked,
        ({ groupOver }) =>
          asking([RACK, ZONE], { spreads: [spreadOf(groupOver(RACK, { r1: 2 })), spreadOf(groupOver(ZONE, { z1: 1, z2: 4 }))] }),
      ],
    ],
    [
      'is nowhere where others keep it out',
      ['z3', 'z2'],
      [{}, ({ groupOver }) => asking([ZONE], { antiAffinity: [groupOver(ZONE, { z1: 1 })] })],
    ],
    [
      'is nowhere at all where they are everywhere',
      [],
      [{}, ({ groupOver }) => asking([ZONE], { antiAffinity: [groupOver(ZONE, { z1: 1, z2: 1, z3: 1 })] })],
    ],
    ['is without the label where the pool gives none', [''], [{}, () => asking([RACK])]],
    [
      'is never with a label that it might have done without',
      ['none z3', 'none z1', 'none z2'],
      [{ requirements: [{ key: 'rack', operator: 'NotIn', values: ['r9'] }] }, () => asking([RACK, ZONE])],
    ],
  ])('%s', (_, expected, asked) => expect(settledIn(...asked)).toEqual(expected));
});
