import type { NodeSelectorRequirement } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, aNodePool, anInstanceType, aPod, labelled, pods, requesting, requiringAnyOf, runningOn } from '../builders/index.ts';
import { placesOf } from './testing/places-of.ts';
import { over, small, web, zone } from './testing/web-pods.ts';

describe('8 pods spread with maxSkew 1 and nothing else in the cluster', () => {
  const excluding: readonly NodeSelectorRequirement[] = [
    { key: 'kubernetes.io/arch', operator: 'NotIn', values: ['arm64'] },
    { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] },
    { key: 'team', operator: 'NotIn', values: ['x'] },
    { key: 'team', operator: 'DoesNotExist' },
    { key: 'kubernetes.io/arch', operator: 'Exists' },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
  ];
  const cases = [zone, 'karpenter.sh/capacity-type', 'kubernetes.io/arch'].flatMap((topologyKey) =>
    excluding.map((expression) => ({ topologyKey, expression, asked: [expression.key, expression.operator, expression.values] })),
  );

  test.each(cases)('over $topologyKey, with required node affinity $asked, all find a place', ({ topologyKey, expression }) => {
    const pending = pods(8, web, small, over(topologyKey), requiringAnyOf({ matchExpressions: [expression] }));
    expect(placesOf({ pending }).rejected).toBe(0);
  });

  test('with node affinity NotIn on a label that some pools set, all find a place', () => {
    const nodePools = [aNodePool({ name: 'a', labels: { team: 'x' } }), aNodePool({ name: 'b', labels: { team: 'y' } })];
    const unlikeX = requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['x'] }] });
    expect(placesOf({ nodePools, pending: pods(8, web, small, over(zone), unlikeX) }).rejected).toBe(0);
  });
});

describe('8 pods spread with maxSkew 1 over a label whose values the pool does not list', () => {
  const key = 'example.com/generation';
  type Expression = Omit<NodeSelectorRequirement, 'key'>;
  const within = (expression: Expression) => requiringAnyOf({ matchExpressions: [{ key, ...expression }] });
  const offered: readonly (readonly Expression[])[] = [
    [{ operator: 'Exists' }],
    [{ operator: 'Gt', values: ['0'] }],
    [
      { operator: 'Gt', values: ['0'] },
      { operator: 'Lt', values: ['9'] },
    ],
  ];
  const wanted: readonly Expression[] = [
    { operator: 'Exists' },
    { operator: 'NotIn', values: ['7'] },
    { operator: 'In', values: ['2', '3'] },
    { operator: 'Gt', values: ['1'] },
    { operator: 'Lt', values: ['5'] },
  ];
  const textOf = ({ operator, values = [] }: Expression): string => [operator, ...values].join(' ');
  const cases = offered.flatMap((pool) =>
    wanted.map((affinity) => ({ pool, affinity, offers: pool.map(textOf).join(', '), asks: textOf(affinity) })),
  );
  const poolOf = (pool: readonly Expression[]) => aNodePool({ requirements: pool.map((each) => ({ key, ...each }) as never) });

  test.each(cases)('($offers), and with affinity $asks, all find a place', ({ pool, affinity }) => {
    const pending = pods(8, web, small, over(key), within(affinity));
    expect(placesOf({ nodePools: [poolOf(pool)], pending }).rejected).toBe(0);
  });

  test.each(cases)('($offers), with affinity $asks and beside pods above 3, all find a place', ({ pool, affinity }) => {
    const others = [labelled({ app: 'db' }), small, within({ operator: 'Gt', values: ['3'] })];
    const spread = over(key, { labelSelector: { matchLabels: { app: 'db' } } });
    const pending = [...pods(8, web, small, over(key), within(affinity)), ...pods(8, ...others, spread)];
    expect(placesOf({ nodePools: [poolOf(pool)], pending }).rejected).toBe(0);
  });
});

describe('4 pods spread with maxSkew 1 that must be in one zone, or on a node by its name', () => {
  const inOneZone = { matchExpressions: [{ key: zone, operator: 'In' as const, values: ['test-zone-1'] }] };
  const byName = (operator: 'In' | 'NotIn') => ({ matchFields: [{ key: 'metadata.name', operator, values: ['full'] }] });
  const full = aNode({
    name: 'full',
    zone: 'test-zone-2',
    allocatable: { cpu: 1000, memory: 2 ** 32, pods: 110 },
    pods: pods(1, requesting({ cpuMillis: 1000 }), runningOn('full')),
  });

  test.each<[string, 'In' | 'NotIn', number]>([
    ['that is full and elsewhere: its empty zone counts, so that only one finds a place', 'In', 3],
    ['that is not the one: empty zones in which a node may come count, so that only one finds a place', 'NotIn', 3],
  ])('%s', (_, operator, rejected) => {
    const pending = pods(4, web, small, over(zone), requiringAnyOf(inOneZone, byName(operator)));
    expect(placesOf({ pending, nodes: [full] }).rejected).toBe(rejected);
  });

  test('that is not there: all find a place', () => {
    const pending = pods(4, web, small, over(zone), requiringAnyOf(inOneZone, byName('In')));
    expect(placesOf({ pending }).rejected).toBe(0);
  });
});

test('when a planned node may still become a machine that a pod excludes › the pod counts what is there against other domains alone', () => {
  const instanceTypes = ['amd64', 'arm64'].map((arch) => anInstanceType({ name: arch, arch, cpus: 8 }));
  const first = aPod(web, requesting({ cpuMillis: 2000 }), over('team', { minDomains: 2 }));
  const onArm = requiringAnyOf({ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] });
  const nodePools = [aNodePool({ labels: { team: 'red' } })];
  expect(placesOf({ nodePools, instanceTypes, pending: [first, aPod(web, small, over('team'), onArm)] }).rejected).toBe(0);
});
