import type { NodeSelectorRequirement } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, aNodePool, pods, requesting, requiringAnyOf, runningOn } from '../builders/index.ts';
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
