import { expect, test } from '@jest/globals';
import { allocatableOf } from './instance-type.ts';
import type { InstanceType } from './instance-type.ts';

const typeOfCapacity = (capacity: InstanceType['capacity'], overhead: InstanceType['overhead']): InstanceType => ({
  name: 't',
  capacity,
  overhead,
  offerings: [],
  requirements: new Map(),
});

test('allocatable is capacity minus overhead', () => {
  expect(allocatableOf(typeOfCapacity({ cpu: 4000, pods: 110 }, { cpu: 140, memory: 5 }))).toEqual({ cpu: 3860, pods: 110 });
});

test('huge pages are taken from memory; with more of them than memory, memory is 0', () => {
  expect(allocatableOf(typeOfCapacity({ memory: 100, 'hugepages-2Mi': 30 }, { memory: 10 }))).toEqual({ memory: 60, 'hugepages-2Mi': 30 });
  expect(allocatableOf(typeOfCapacity({ memory: 100, 'hugepages-1Gi': 200 }, {}))['memory']).toBe(0);
});
