import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { Pod } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { aNodePool, aPod, aSnapshot, assortedInstanceTypes, awayFrom, labelled, requesting } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const GIB = 1024 ** 3;
const instanceTypes = assortedInstanceTypes(64);
const many = (count: number, make: (index: number) => Pod): readonly Pod[] => Array.from({ length: count }, (_, index) => make(index));
const small = requesting({ cpuMillis: 300, memoryBytes: GIB / 4 });
const lonely = awayFrom({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'lonely' } } });

describe('nodes under limits that their largest types together would break', () => {
  const pending = [...many(40, () => aPod(small, labelled({ app: 'lonely' }), lonely)), ...many(160, () => aPod(small))];

  test('they still grow, so that there are no more of them than without limits', () => {
    // Three nodes of the largest type would use it up; forty small ones do not.
    const limited = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool({ limits: { cpu: '200' } })] });
    const free = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] });
    const plan = simulate(limited, defaultSchedulingPolicy);
    expect(plan.rejections).toEqual([]);
    expect(plan.plannedNodes).toHaveLength(simulate(free, defaultSchedulingPolicy).plannedNodes.length);
    expect(validatePlan(limited, defaultSchedulingPolicy, plan)).toEqual([]);
  });

  test('they name as many larger types as the limits bear: a cloud that is out of one size has others to give', () => {
    const widest = (cpu: string): number => {
      const snapshot = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool({ limits: { cpu } })] });
      const { plannedNodes } = simulate(snapshot, defaultSchedulingPolicy);
      return Math.max(...plannedNodes.map((node) => node.instanceTypes.length));
    };
    expect([widest('100000') > widest('400'), widest('400') > widest('120')]).toEqual([true, true]);
  });

  test('a node grows no further than the limits leave', () => {
    const snapshot = aSnapshot({ pending: many(100, () => aPod(small)), instanceTypes, nodePools: [aNodePool({ limits: { cpu: '10' } })] });
    const plan = validatedPlan(snapshot);
    expect(plan.rejections.length).toBe(100 - Math.floor((10_000 - 100) / 300));
  });
});
