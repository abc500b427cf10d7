import { describe, expect, test } from '@jest/globals';
import type { ResourceSlice } from '../kube/index.ts';
import { driversWithPools, ownerNodesOf, slicesInBounds, volumeLimitsOf } from './device-view.ts';

const sliceOfGeneration = (generation: number, resourceSliceCount: number, spec: Partial<ResourceSlice['spec']> = {}): ResourceSlice => ({
  metadata: { name: 's' },
  spec: { driver: 'gpu.example.com', pool: { name: 'a', generation, resourceSliceCount }, nodeName: 'n', ...spec },
});

describe('a driver has published', () => {
  test.each<[string, readonly ResourceSlice[], boolean]>([
    ['when all slices of a pool are there', [sliceOfGeneration(1, 2), sliceOfGeneration(1, 2)], true],
    ['not while some are missing', [sliceOfGeneration(1, 2)], false],
    [
      'not while some of the highest generation are missing, whatever there was before',
      [sliceOfGeneration(1, 1), sliceOfGeneration(2, 2)],
      false,
    ],
    [
      'when one of its pools is whole',
      [sliceOfGeneration(1, 2), sliceOfGeneration(1, 1, { pool: { name: 'b', generation: 1, resourceSliceCount: 1 } })],
      true,
    ],
    ['not when nothing is there', [], false],
  ])('%s', (_, slices, isThere) => {
    expect(driversWithPools(slices).has('gpu.example.com')).toBe(isThere);
  });
});

test('a slice belongs to the node that it names and to the node that owns it; one for all nodes belongs to none', () => {
  const owned: ResourceSlice = {
    metadata: { name: 's', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'm', uid: 'u' }] },
    spec: { driver: 'gpu.example.com', pool: { name: 'a' }, allNodes: true },
  };
  expect(ownerNodesOf(sliceOfGeneration(1, 1))).toEqual(['n']);
  expect(ownerNodesOf(owned)).toEqual(['m']);
  expect(ownerNodesOf({ ...owned, metadata: { name: 's' } })).toEqual([]);
});

test.each([
  ['no CSINode', undefined, undefined],
  ['a CSINode as a kubelet writes it before any driver registers', { metadata: { name: 'n' }, spec: { drivers: null } }, undefined],
  ['a driver', { metadata: { name: 'n' }, spec: { drivers: [{ name: 'disk', allocatable: { count: 8 } }] } }, { disk: 8 }],
])('volume limits › %s', (_, csiNode, limits) => {
  expect(volumeLimitsOf(csiNode)).toEqual(limits);
});

describe('slices with more devices than are read', () => {
  const sliceWith = (name: string, nodeName: string | undefined, count: number): ResourceSlice => ({
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name } },
    spec: {
      ...{ driver: 'gpu.example.com', pool: { name, generation: 1, resourceSliceCount: 1 } },
      ...(nodeName === undefined ? { allNodes: true } : { nodeName }),
      devices: Array.from({ length: count }, (_, index) => ({ name: `d-${index}` })),
    },
  });
  const many = Array.from({ length: 70 }, (_, index) => sliceWith(`s-${String(99 - index)}`, 'odd', 128));
  const others = [sliceWith('other', 'n', 128), sliceWith('shared', undefined, 10_000)];

  test('when one node has them › its first 8,192 by name are read, and all of others', () => {
    const { read, beyond } = slicesInBounds([...many, ...others]);
    expect(read).toHaveLength(64 + 2);
    expect(read).toEqual(expect.arrayContaining([...others, ...many.slice(6)]));
    expect(beyond.map(({ name, problem: { value } }) => [name, value])).toEqual([['s-94', '8960 devices']]);
  });

  test('when slices that belong to no node have them › the problem says so, and of a node that it is one', () => {
    const shared = Array.from({ length: 514 }, (_, index) => sliceWith(`all-${100 + index}`, undefined, 128));
    expect(slicesInBounds([...many, ...shared]).beyond.map(({ problem: { problem } }) => problem)).toEqual([
      'of one node 8192 devices are read; from this slice on 6 slices are not',
      'in slices that belong to no node 65536 devices are read; from this slice on 2 slices are not',
    ]);
  });

  test('when no node has them › the very list is read', () => {
    expect(slicesInBounds(others)).toEqual({ read: others, beyond: [] });
    expect(slicesInBounds(others).read).toBe(others);
  });
});
