import { type ClusterSnapshot, defaultSchedulingPolicy, simulate } from '@karpenter/core';
import { planning } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNodePool, aPod, aSnapshot, assortedInstanceTypes, requesting } from '../builders/index.ts';

const GIB = 1024 ** 3;
const instanceTypes = assortedInstanceTypes(64);

describe('a flood of 15,000 pods', () => {
  const flood = (count: number, usage: Readonly<Record<string, number>>): ClusterSnapshot => {
    const pending = Array.from({ length: count }, (_, index) =>
      aPod(requesting({ cpuMillis: 100 + (index % 20) * 10, memoryBytes: GIB / 4 })),
    );
    const snapshot = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool({ limits: { cpu: '1000' } })] });
    return { ...snapshot, nodePools: snapshot.nodePools.map((pool) => ({ ...pool, usage })) };
  };

  /** How many steps, each of some milliseconds at most, the decision took. */
  const stepsOf = (snapshot: ClusterSnapshot): number => {
    const steps = planning(snapshot, defaultSchedulingPolicy, () => false);
    let count = 0;
    while (steps.next().done !== true) count++;
    return count;
  };

  test('is answered pod by pod when the pool is at its limit', () => {
    const { plannedNodes, rejections } = simulate(flood(15_000, { cpu: 1_000_000 }), defaultSchedulingPolicy);
    expect([plannedNodes.length, rejections.length]).toEqual([0, 15_000]);
  });

  test('shares one reason among all pods of a class, instead of keeping one for each', () => {
    const { rejections } = simulate(flood(15_000, { cpu: 1_000_000 }), defaultSchedulingPolicy);
    expect(new Set(rejections.map(({ reason }) => reason)).size).toBe(20);
  });

  test('costs one read of each pod and a question for each class, not a question for each pod', () => {
    const reading = 15_000 / 64;
    const classes = 20;
    expect(stepsOf(flood(15_000, { cpu: 1_000_000 }))).toBeLessThan(2 * reading + 10 * classes);
  });

  test('costs no more when the limit is reached on the way: what was refused is not planned again', () => {
    expect(stepsOf(flood(15_000, { cpu: 500_000 }))).toBeLessThan(stepsOf(flood(15_000, {})) * 1.2);
  });
});
