import { describe, expect, test } from '@jest/globals';
import { kubeReservedOf, overheadOf } from './overhead.ts';

describe('what AKS reserves', () => {
  test.each([
    [2, 8, 100, 1843],
    [3, 64, 120, 5611],
    [4, 7, 140, 1638],
    [2, 4, 100, 1024],
    [64, 256, 740, 12165],
  ] as const)('%d vCPUs and %d GiB: %dm and %dMi', (...[vCpus, memoryGiB, cpuMillis, memoryMiB]) => {
    expect(kubeReservedOf(vCpus, memoryGiB)).toEqual({ cpuMillis, memoryMiB });
  });

  test('the eviction threshold comes on top', () => {
    expect(overheadOf(2, 8)).toEqual({ cpu: 100, memory: (1843 + 750) * 1024 * 1024 });
  });
});
