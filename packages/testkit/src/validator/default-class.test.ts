import { explain, simulate, snapshotOf } from '@karpenter/core';
import type { PlainCluster, StorageClass } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aClaim, aNodePool, aPod, aSnapshot, aStorage, aStorageClass, withClaims, withVolume } from '../builders/index.ts';

const byDefault = (name: string, zone: string, creationTimestamp?: string): StorageClass => ({
  ...aStorageClass(name, { zones: [zone] }),
  metadata: {
    name,
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
  },
});
const classes = [
  aStorageClass('other', { zones: ['test-zone-1'] }),
  byDefault('old', 'test-zone-2', '2026-01-01T00:00:00Z'),
  byDefault('new', 'test-zone-3', '2026-01-02T00:00:00Z'),
];

describe('a claim that names no StorageClass is of the default one, the newest if there are several', () => {
  test.each([
    ['a claim', withClaims('data'), [aClaim('data')]],
    ['the claim of an ephemeral volume', withVolume({ name: 'data', ephemeral: { volumeClaimTemplate: { spec: {} } } }), []],
  ])('%s', (_, volume, claims) => {
    const { plannedNodes } = simulate(aSnapshot({ pending: [aPod(volume)], storage: aStorage({ claims, classes }) }));
    expect(plannedNodes.map(({ cheapest }) => cheapest.offering.zone)).toEqual(['test-zone-3']);
  });

  test('an empty name means none', () => {
    const storage = aStorage({ claims: [aClaim('data', { storageClassName: '' })], classes });
    const { rejections } = simulate(aSnapshot({ pending: [aPod(withClaims('data'))], storage }));
    expect(rejections.map(explain)).toEqual([expect.stringContaining('names no StorageClass')]);
  });
});

test('a plain node that is cordoned takes no pods, but those that bear it', () => {
  const status = { allocatable: { cpu: 4, memory: '8Gi', pods: 10 } };
  const cordoned = { metadata: { name: 'cordoned' }, spec: { unschedulable: true }, status };
  const bearing = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists' as const };
  const pod = (name: string, spec: object): PlainCluster['pods'][number] => ({ metadata: { name }, spec: { containers: [], ...spec } });
  const { placements } = simulate(
    snapshotOf({
      nodePools: [aNodePool()],
      instanceTypes: [],
      nodes: [cordoned],
      pods: [pod('web', {}), pod('agent', { tolerations: [bearing] })],
    }),
  );
  expect([...placements.values()].flat().map(({ metadata }) => metadata.name)).toEqual(['agent']);
});
