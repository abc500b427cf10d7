import { defaultSchedulingPolicy } from '@karpenter/core';
import { planning } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import { aNodePool, anInstanceType, aPod, aSnapshot, requesting } from '../builders/index.ts';

const MIB = 1024 ** 2;
const instanceTypes = Array.from({ length: 64 }, (_, index) => anInstanceType({ name: `type-${index + 1}`, cpus: index + 1 }));

test('ten times as many pods that all differ take about ten times the steps', () => {
  const stepsOf = (count: number): number => {
    const pending = Array.from({ length: count }, (_, index) =>
      aPod(requesting({ cpuMillis: 100 + ((index * 7919) % 1500), memoryBytes: (128 + ((index * 104_729) % 4096)) * MIB })),
    );
    const steps = planning(aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] }), defaultSchedulingPolicy, () => false);
    let taken = 0;
    while (steps.next().done !== true) taken++;
    return taken;
  };
  expect(stepsOf(3000)).toBeLessThan(12 * stepsOf(300));
});
