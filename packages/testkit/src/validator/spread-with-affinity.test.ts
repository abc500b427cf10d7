import type { NodeSelectorRequirement } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNodePool, pods, requiringAnyOf } from '../builders/index.ts';
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
