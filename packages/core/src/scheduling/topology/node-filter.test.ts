import { describe, expect, test } from '@jest/globals';
import type { RequirementSpec } from '../../apis/index.ts';
import { labels } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Labels, Taint, TopologySpreadConstraint } from '../../kube/index.ts';
import { requirementsOf } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { aState } from '../testing/a-template.ts';
import type { PoolOptions } from '../testing/a-template.ts';
import { nodeFilter } from './group.ts';
import type { FilterOwner } from './group.ts';
import { isIn } from '../../testing/objects.ts';

const spread: TopologySpreadConstraint = { topologyKey: labels.zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
const requirementsFrom = (...specs: readonly RequirementSpec[]): Requirements => requirementsOf(specs);
const owner = (preference: Partial<FilterOwner> = {}): FilterOwner => ({
  alternatives: [requirementsFrom()],
  byName: [],
  tolerations: [],
  topologyKeys: [labels.zone],
  ...preference,
});
const taint: Taint = { key: 'dedicated', effect: 'NoSchedule' };
const tolerant = [{ key: 'dedicated', operator: 'Exists' as const }];
const byName = (operator: 'In' | 'NotIn', name: string, ...specs: readonly RequirementSpec[]): Pick<FilterOwner, 'byName'> => ({
  byName: [{ matchFields: [{ key: 'metadata.name', operator, values: [name] }], requirements: requirementsFrom(...specs) }],
});
const elsewhere = { alternatives: [requirementsFrom(isIn('a', 'x'))] };
const honouring = { ...spread, nodeTaintsPolicy: 'Honor' as const };

describe('what a spread counts', () => {
  const node = (own: Labels, taints: readonly Taint[] = []): NodeView =>
    ({ name: 'n', labels: { [labels.zone]: 'z1', ...own }, taints }) as Partial<NodeView> as NodeView;

  test.each<[string, boolean, [TopologySpreadConstraint, FilterOwner, NodeView]]>([
    ['is a node with the label', true, [spread, owner(), node({})]],
    ['is none without it', false, [spread, owner({ topologyKeys: ['rack'] }), node({})]],
    ['is one by whatever name for a spread over hosts', true, [spread, owner({ topologyKeys: [labels.hostname] }), node({})]],
    [
      'is one that any term allows',
      true,
      [spread, owner({ alternatives: [requirementsFrom(isIn('a', 'x')), requirementsFrom(isIn('b', 'y'))] }), node({ b: 'y' })],
    ],
    ['is none that no term allows', false, [spread, owner({ alternatives: [requirementsFrom(isIn('a', 'x'))] }), node({ a: 'z' })]],
    [
      'is one that no term allows where that is to be ignored',
      true,
      [{ ...spread, nodeAffinityPolicy: 'Ignore' }, owner({ alternatives: [requirementsFrom(isIn('a', 'x'))] }), node({ a: 'z' })],
    ],
    ['is one that a term names', true, [spread, owner({ ...elsewhere, ...byName('In', 'n') }), node({})]],
    ['is none where a term names another', false, [spread, owner({ ...elsewhere, ...byName('In', 'm') }), node({})]],
    ['is one where a term excludes another by name', true, [spread, owner({ ...elsewhere, ...byName('NotIn', 'm') }), node({})]],
    [
      'is none that lacks what its term says of labels',
      false,
      [spread, owner({ ...elsewhere, ...byName('In', 'n', isIn('b', 'y')) }), node({})],
    ],
    ['is one with a taint', true, [spread, owner(), node({}, [taint])]],
    ['is none with a taint where those are to be honoured', false, [honouring, owner(), node({}, [taint])]],
    ['is one with a taint that the pod tolerates', true, [honouring, owner({ tolerations: tolerant }), node({}, [taint])]],
  ])('%s', (_, passes, [constraint, of, given]) => expect(nodeFilter(constraint, of).passes(given)).toBe(passes));
});

describe('a planned node', () => {
  const machine = { cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1, zones: ['z1', 'z2'] };
  const machines = [
    { ...machine, labels: { [labels.arch]: 'amd64' } },
    { ...machine, zones: ['z2'], labels: { [labels.arch]: 'arm64' } },
  ];
  const verdict = (pool: PoolOptions, preference: Partial<FilterOwner>, constraint = spread): string =>
    nodeFilter(constraint, owner(preference)).verdictOn(aState(machines, pool));
  const having = (...requirements: readonly RequirementSpec[]): PoolOptions => ({ requirements });
  const wanting = (...alternatives: readonly Requirements[]): Partial<FilterOwner> => ({ alternatives });
  const amd = requirementsFrom(isIn(labels.arch, 'amd64'));
  const arm = requirementsFrom(isIn(labels.arch, 'arm64'));
  const unlikeRed = requirementsFrom({ key: 'team', operator: 'NotIn', values: ['red'] });

  test.each<[string, 'certain' | 'possible' | 'never', Parameters<typeof verdict>]>([
    ['counts for sure for a pod that asks for nothing', 'certain', [{}, {}]],
    ['may yet have the label that clouds give', 'possible', [{}, wanting(amd)]],
    ['has the one that its pool asks for', 'certain', [having(isIn(labels.arch, 'amd64')), wanting(amd)]],
    [
      'has one of two, and both are accepted',
      'certain',
      [having(isIn(labels.arch, 'amd64', 'arm64')), wanting(requirementsFrom(isIn(labels.arch, 'amd64', 'arm64')))],
    ],
    ['may have the other of two', 'possible', [having(isIn(labels.arch, 'amd64', 'arm64')), wanting(amd)]],
    ['never has what its pool forbids', 'never', [having(isIn(labels.arch, 'amd64')), wanting(arm)]],
    ['never has a label that only a pool could give it', 'never', [{}, wanting(requirementsFrom(isIn('team', 'red')))]],
    ['surely lacks a label that only a pool could give it', 'certain', [{}, wanting(unlikeRed)]],
    [
      'may yet get a well-known label that is not wanted',
      'possible',
      [{}, wanting(requirementsFrom({ key: labels.arch, operator: 'NotIn', values: ['arm64'] }))],
    ],
    [
      'is not sure of a label that its pool only excludes',
      'possible',
      [having({ key: 'team', operator: 'NotIn', values: ['blue'] }), wanting(unlikeRed)],
    ],
    [
      'counts for sure for a pod that excludes what its pool excludes',
      'certain',
      [
        having({ key: labels.arch, operator: 'NotIn', values: ['arm64'] }),
        wanting(requirementsFrom({ key: labels.arch, operator: 'NotIn', values: ['arm64'] })),
      ],
    ],
    [
      'counts for sure where every type that is left states a wanted value',
      'certain',
      [having(isIn(labels.zone, 'z1')), wanting(requirementsFrom({ key: labels.arch, operator: 'NotIn', values: ['arm64'] }))],
    ],
    [
      'surely lacks a label that its pool forbids',
      'certain',
      [having({ key: 'team', operator: 'DoesNotExist' }), wanting(requirementsFrom({ key: 'team', operator: 'DoesNotExist' }))],
    ],
    ['is not sure of a label with no list of values', 'possible', [having({ key: 'team', operator: 'Exists' }), wanting(unlikeRed)]],
    [
      'counts for sure where one of the terms is sure',
      'certain',
      [having(isIn(labels.arch, 'amd64')), wanting(requirementsFrom(isIn(labels.zone, 'z1')), amd)],
    ],
    ['may count where one of the terms may hold', 'possible', [{}, wanting(requirementsFrom(isIn('team', 'red')), amd)]],
    [
      'never counts for one of whose terms none may hold',
      'never',
      [{}, wanting(requirementsFrom(isIn('team', 'red')), requirementsFrom(isIn('team', 'blue')))],
    ],
    ['never counts where zone and architecture are sold, but not together', 'never', [having(isIn(labels.zone, 'z1')), wanting(arm)]],
    ['has a host name', 'certain', [{}, { topologyKeys: [labels.hostname] }]],
    ['has a zone, as clouds give one', 'certain', [{}, { topologyKeys: [labels.zone] }]],
    ['has a label that its pool gives', 'certain', [{ labels: { rack: 'r1' } }, { topologyKeys: ['rack'] }]],
    ['lacks one that the pool does not name', 'never', [{}, { topologyKeys: ['rack', labels.zone] }]],
    [
      'lacks one that it may come up without',
      'never',
      [having({ key: 'rack', operator: 'NotIn', values: ['r9'] }), { topologyKeys: ['rack'] }],
    ],
    ['is none that a term names', 'never', [having(isIn('a', 'y')), { ...elsewhere, ...byName('In', 'n') }]],
    ['is one that a term does not exclude by name', 'certain', [having(isIn('a', 'y')), { ...elsewhere, ...byName('NotIn', 'n') }]],
    ['counts with taints', 'certain', [{ taints: [taint] }, {}]],
  ])('%s', (_, expected, asked) => expect(verdict(...asked)).toBe(expected));

  test('with taints counts, where those are to be honoured, for pods that tolerate them', () => {
    expect(verdict({ taints: [taint] }, {}, honouring)).toBe('never');
    expect(verdict({ taints: [taint] }, { tolerations: tolerant }, honouring)).toBe('certain');
  });
});

describe('filters with one text count the same nodes', () => {
  const text = (preference: Partial<FilterOwner>, constraint = spread): string => nodeFilter(constraint, owner(preference)).text;
  const [x, y] = [requirementsFrom(isIn('a', 'x')), requirementsFrom(isIn('a', 'y'))];

  test('whatever the order of terms and keys, and whatever the pod tolerates where taints are ignored', () => {
    expect(text({ alternatives: [x, y] })).toBe(text({ alternatives: [y, x] }));
    expect(text({ topologyKeys: ['rack', 'row'] })).toBe(text({ topologyKeys: ['row', 'rack'] }));
    expect(text({ tolerations: tolerant })).toBe(text({}));
    expect(text({ alternatives: [x] }, { ...spread, nodeAffinityPolicy: 'Ignore' })).toBe(
      text({ alternatives: [y] }, { ...spread, nodeAffinityPolicy: 'Ignore' }),
    );
  });

  test('and terms, keys and tolerations that matter distinguish them', () => {
    const named = [text(byName('In', 'n')), text(byName('In', 'm')), text(byName('NotIn', 'n')), text(byName('In', 'n', isIn('a', 'x')))];
    const texts = [...named, text({}), text({ alternatives: [x] }), text({ alternatives: [x, y] }), text({ topologyKeys: ['rack'] })];
    const honoured = [text({}, honouring), text({ tolerations: tolerant }, honouring)];
    expect(new Set([...texts, ...honoured]).size).toBe(10);
  });
});
