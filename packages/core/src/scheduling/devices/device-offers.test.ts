import { expect, test } from '@jest/globals';
import { defaultLabelCatalog } from '../../apis/index.ts';
import type { Steps } from '../../base/index.ts';
import { snapshotOf } from '../../cluster/index.ts';
import type { ResourceSlice } from '../../kube/index.ts';
import { DeviceOffers } from './device-offers.ts';
import { publishedPools, publishingPools } from './device-pools.ts';

const NODES = 50;
const SLICES = NODES * 2;
const DEVICES = SLICES * 128;

/** Two slices of each node. */
const slicesOf = (poolOf: (slice: number) => string, inPool: number): readonly ResourceSlice[] =>
  Array.from({ length: SLICES }, (_, index) => ({
    metadata: { name: `s-${index}` },
    spec: {
      ...{ driver: 'gpu.example.com', nodeName: `n-${index % NODES}` },
      pool: { name: poolOf(index), generation: 1, resourceSliceCount: inPool },
      devices: Array.from({ length: 128 }, (__, device) => ({ name: `d-${index}-${device}` })),
    },
  }));

const pausesOf = (steps: Steps<unknown>): number => {
  let pauses = 0;
  while (steps.next().done !== true) pauses += 1;
  return pauses;
};

test.each([
  { pools: 'one pool', slices: slicesOf(() => 'all', SLICES) },
  { pools: 'a pool for each node', slices: slicesOf((slice) => `of-${slice % NODES}`, 2) },
])('12,800 devices of 50 nodes in $pools are joined and put to their nodes with pauses, each read once for all nodes', ({ slices }) => {
  const ofSlices = Math.floor(SLICES / 8);
  expect(pausesOf(publishingPools(slices))).toBeGreaterThanOrEqual(ofSlices + 3);
  let reads = 0;
  for (const device of publishedPools(slices).flatMap(({ devices }) => devices)) {
    const { reach } = device;
    const get = (): typeof reach => {
      reads += 1;
      return reach;
    };
    Object.defineProperty(device, 'reach', { get });
  }
  const offers = new DeviceOffers(snapshotOf({ nodePools: [], instanceTypes: [], pods: [] }), [], defaultLabelCatalog);
  expect(pausesOf(offers.reading(slices))).toBeGreaterThanOrEqual(DEVICES / 4096);
  expect(offers.nodesWithDevices).toBe(NODES);
  expect(reads).toBeLessThan(5 * DEVICES);
});
