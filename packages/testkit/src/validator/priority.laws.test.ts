import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type Pod, type SchedulingPolicy, simulate } from '@karpenter/core';
import { planning } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PodTrait } from '../builders/index.ts';
import { aNode, aNodePool, aPod, aSnapshot, assortedInstanceTypes, requesting } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';
import { podsPlacedBy } from './testing/validated-plan.ts';

const instanceTypes = assortedInstanceTypes(24);
const policies: readonly SchedulingPolicy[] = [defaultSchedulingPolicy, { ...defaultSchedulingPolicy, packing: 'first-fit' }];

const ofPriority =
  (priority: number): PodTrait =>
  (pod) => ({ ...pod, spec: { ...pod.spec, priority } });

const shapeOf = ({ spec: { priority: _, ...rest } }: Pod): string => JSON.stringify(rest);

/** Placed pods that have the shape of a rejected pod of higher priority. */
const inversions = (plan: Plan): readonly Pod[] =>
  podsPlacedBy(plan).filter((placed) =>
    plan.rejections.some(({ pod }) => shapeOf(pod) === shapeOf(placed) && (pod.spec.priority ?? 0) > (placed.spec.priority ?? 0)),
  );

const limitedTo = (cpu: string, pending: readonly Pod[]): ClusterSnapshot =>
  aSnapshot({ pending, instanceTypes, nodePools: [aNodePool({ limits: { cpu } })] });

const pending = fc.array(
  fc.record({ cpuMillis: fc.constantFrom(200, 900, 1700), priority: fc.option(fc.constantFrom(-5, 0, 10, 1000), { nil: undefined }) }),
  { minLength: 1, maxLength: 30 },
);

describe.each(policies)('pods under a limit ($packing)', (policy) => {
  test('none is placed while an equal pod of higher priority is not', () => {
    fc.assert(
      fc.property(pending, fc.integer({ min: 1, max: 30 }), fc.boolean(), (pods, cpu, hasNode) => {
        const snapshot = limitedTo(
          String(cpu),
          pods.map(({ cpuMillis, priority }) =>
            aPod(requesting({ cpuMillis }), priority === undefined ? (pod) => pod : ofPriority(priority)),
          ),
        );
        const given = hasNode ? { ...snapshot, nodes: [aNode({ allocatable: { cpu: 2000, memory: 2 ** 33, pods: 20 } })] } : snapshot;
        const plan = simulate(given, policy);
        expect(inversions(plan)).toEqual([]);
        expect(validatePlan(given, policy, plan)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('a small pod of high priority comes before large ones that would use up the limit', () => {
    const large = Array.from({ length: 6 }, () => aPod(requesting({ cpuMillis: 1700 })));
    const small = aPod(requesting({ cpuMillis: 200 }), ofPriority(1000));
    const plan = simulate(limitedTo('2', [...large, small]), policy);
    expect(podsPlacedBy(plan)).toContain(small);
  });

  test('of equal pods the ones of high priority come first, although they are younger', () => {
    const old = Array.from({ length: 5 }, () => aPod(requesting({ cpuMillis: 1700 })));
    const young = aPod(requesting({ cpuMillis: 1700 }), ofPriority(1));
    expect(podsPlacedBy(simulate(limitedTo('2', [...old, young]), policy))).toEqual([young]);
  });

  test('the largest come first where all have a place, whatever their priority', () => {
    const pods = [1700, 900, 200].map((cpuMillis, index) => aPod(requesting({ cpuMillis }), ofPriority(index)));
    const plain = pods.map((pod) => ({ ...pod, spec: { containers: pod.spec.containers } }));
    const namesOf = (given: readonly Pod[]): unknown =>
      podsPlacedBy(simulate(limitedTo('100', given), policy)).map(({ metadata }) => metadata.name);
    expect(namesOf(pods)).toEqual(namesOf(plain));
  });

  test('one of high priority that fits no machine costs no more steps than one of low priority', () => {
    const others = Array.from({ length: 200 }, (_, index) => aPod(requesting({ cpuMillis: 100 + 7 * index })));
    const stepsWith = (priority: number): number => {
      const monster = aPod(requesting({ cpuMillis: 1_000_000 }), ofPriority(priority));
      const steps = planning(limitedTo('10000', [...others, monster]), policy, () => false);
      let taken = 0;
      while (steps.next().done !== true) taken++;
      return taken;
    };
    expect(stepsWith(1000)).toBe(stepsWith(-1000));
  });
});
