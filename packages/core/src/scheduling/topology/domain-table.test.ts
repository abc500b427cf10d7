import { describe, expect, test } from '@jest/globals';
import type { RequirementSpec } from '../../apis/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Labels } from '../../kube/index.ts';
import { aState } from '../testing/a-template.ts';
import type { Machine, PoolOptions } from '../testing/a-template.ts';
import { DomainTable, HOST, UNSETTLED } from './domain-table.ts';
import { onlyValueOf } from '../nodes/node-model.ts';
import type { NodeState } from '../nodes/node-model.ts';
import { settledStates } from '../nodes/settled-states.ts';
import type { CheckList } from './group.ts';
import { isIn } from '../../testing/objects.ts';

const ABSENT = -1;
const machine: Machine = { cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1 };
const having = (...requirements: readonly RequirementSpec[]): PoolOptions => ({ requirements });
const nodeIn = (own: Labels): NodeView => ({ labels: own }) as Partial<NodeView> as NodeView;

/** The values of the label between which the state has a choice, in the order in which they are tried. */
const choicesOf = (state: NodeState, key: string): readonly (string | undefined)[] =>
  [...new DomainTable([key]).settling(state, 0)].map(({ requirements }) => {
    const own = requirements.get(key);
    return own && onlyValueOf(own);
  });

describe('keys', () => {
  test('are numbered by name, each once, the host name apart', () => {
    const table = new DomainTable(['rack', labels.hostname, 'aisle', 'rack']);
    expect(table.keys).toEqual(['aisle', 'rack']);
    expect(['aisle', 'rack', labels.hostname].map((key) => table.keyNumber(key))).toEqual([0, 1, HOST]);
  });
});

describe('the domain of a node', () => {
  test('is one for each value of each key, and none where the label is missing', () => {
    const table = new DomainTable(['aisle', 'rack']);
    const domains = (key: number) =>
      [{ rack: 'r1' }, { rack: 'r2' }, { rack: 'r1' }, {}, { aisle: 'r1' }].map((own) => table.domainOfNode(nodeIn(own), key));
    expect(domains(1)).toEqual([0, 1, 0, ABSENT, ABSENT]);
    expect(domains(0)).toEqual([ABSENT, ABSENT, ABSENT, ABSENT, 0]);
  });

  test('is that of a planned node which is settled there', () => {
    const table = new DomainTable([labels.zone]);
    const inZone = (zone: string) => aState([{ ...machine, zones: ['z1', 'z2'] }], having(isIn(labels.zone, zone)));
    expect(table.domainOfNode(nodeIn({ [labels.zone]: 'z1' }), 0)).toBe(table.domainOfState(inZone('z1'), 0));
    expect(table.domainOfState(inZone('z2'), 0)).toBe(1);
    expect(table.domainOfNode(nodeIn({ [labels.zone]: 'z2' }), 0)).toBe(1);
  });
});

describe('the domain of a planned node', () => {
  const zones = { ...machine, zones: ['z1', 'z2'] };
  test.each<[string, number, [Machine, PoolOptions, string]]>([
    ['is open while there is a choice', UNSETTLED, [zones, {}, labels.zone]],
    ['is open, too, where only one is on sale and nothing says so', UNSETTLED, [machine, {}, labels.zone]],
    ['is the one that the pool asks for', 0, [zones, having(isIn(labels.zone, 'z2')), labels.zone]],
    ['is none for a label that nobody gives', ABSENT, [zones, {}, 'rack']],
    ['is none for a well-known label that no type has', ABSENT, [zones, {}, labels.windowsBuild]],
    ['is none where the pool says that it must be missing', ABSENT, [zones, having({ key: 'rack', operator: 'DoesNotExist' }), 'rack']],
  ])('%s', (_, expected, [sold, pool, key]) => {
    const table = new DomainTable([key]);
    const state = aState([sold], pool);
    expect([table.domainOfState(state, 0), table.domainOfState(state, 0)]).toEqual([expected, expected]);
  });
});

describe('the choice that a planned node has', () => {
  const both = [
    { ...machine, zones: ['z1', 'z2'], labels: { disk: 'ssd', [labels.arch]: 'arm64' }, pricePerHour: 3 },
    { ...machine, zones: ['z2', 'z3'], labels: { disk: 'hdd', [labels.arch]: 'amd64' }, pricePerHour: 2 },
  ];
  test.each<[string, readonly string[], [PoolOptions, string]]>([
    ['of zones is where something is sold, the cheapest first, and then by name', ['z2', 'z3', 'z1'], [{}, labels.zone]],
    ['of zones is no more than the pool allows', ['z3', 'z1'], [having(isIn(labels.zone, 'z1', 'z3')), labels.zone]],
    ['of zones is no more than the other requirements leave', ['z1', 'z2'], [having(isIn(labels.arch, 'arm64')), labels.zone]],
    ['of architectures is what types state', ['amd64', 'arm64'], [{}, labels.arch]],
    ['of a label that the pool wants is what types state', ['hdd', 'ssd'], [having({ key: 'disk', operator: 'Exists' }), 'disk']],
    ['of a label that the pool does not name is none, whatever types state', [], [{}, 'disk']],
    ['of a label with a list is the list', ['a', 'b'], [having(isIn('rack', 'b', 'a')), 'rack']],
    ['of a label that must be there is one that is made up', ['0'], [having({ key: 'rack', operator: 'Exists' }), 'rack']],
    ['of a label with a bound begins there', ['7'], [having({ key: 'rack', operator: 'Gt', values: ['6'] }), 'rack']],
    ['of a label that may be missing is none', [], [having({ key: 'rack', operator: 'NotIn', values: ['a'] }), 'rack']],
    ['of a label with one value is that', ['a'], [{ labels: { rack: 'a' } }, 'rack']],
  ])('%s', (_, expected, [pool, key]) => {
    expect(choicesOf(aState(both, pool), key)).toEqual(expected);
  });

  test('does not change a node that has none', () => {
    const state = aState(both, { labels: { rack: 'a' } });
    expect([...new DomainTable(['rack']).settling(state, 0)][0]).toBe(state);
  });

  test('is between states that know what is sold in them', () => {
    const [cheapest] = new DomainTable([labels.arch]).settling(aState(both), 0);
    expect(cheapest && [...new DomainTable([labels.zone]).settling(cheapest, 0)]).toHaveLength(2);
  });
});

describe('a planned node that is to do without a label', () => {
  const noPods: CheckList = { antiAffinity: [], spreads: [], affinity: [] };
  const unlabelled = (state: NodeState, key: string): readonly NodeState[] => [
    ...settledStates(state, { checks: { keys: [0], host: noPods, wide: noPods }, domains: new DomainTable([key]) }),
  ];
  const without = (pool: PoolOptions, key: string): readonly NodeState[] => unlabelled(aState([machine], pool), key);
  const absent = (key: string) => ({ key, values: { kind: 'in', values: new Set() }, mayBeAbsent: true });

  test('is the same where the pool does not name it', () => {
    const state = aState([machine]);
    expect(unlabelled(state, 'rack')).toEqual([state]);
  });

  test.each<[string, PoolOptions, string]>([
    ['the pool', having({ key: 'rack', operator: 'NotIn', values: ['a'] }), 'rack'],
    ['a cloud', {}, labels.windowsBuild],
  ])('never has it, though %s could give it', (_, pool, key) => {
    expect(without(pool, key).map(({ requirements }) => requirements.get(key))).toEqual([absent(key)]);
  });

  test('has it all the same where the pool gives it', () => {
    expect(without({ labels: { rack: 'a' } }, 'rack').map(({ requirements }) => requirements.get('rack'))).toEqual([
      expect.objectContaining({ values: { kind: 'in', values: new Set(['a']) } }),
    ]);
  });
});
