import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { InstanceType, Plan, Pod } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import { anInstanceType, aNodePool, aPod, aSnapshot, inZone, requesting } from '../builders/index.ts';
import type { OfferingOptions, SnapshotOptions } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const inFirst: OfferingOptions = { zone: 'test-zone-1', capacityType: 'on-demand', pricePerHour: 1 };
const largeInSecond: OfferingOptions = { ...inFirst, zone: 'test-zone-2', pricePerHour: 2, capacityOverride: { cpu: 8000 } };
const twoSizes = anInstanceType({ cpus: 4, offerings: [inFirst, largeInSecond] });
const dear = anInstanceType({ cpus: 16, pricePerHour: 9 });

const planBuying = (pending: readonly Pod[], types: readonly InstanceType[] = [twoSizes, dear], cluster: SnapshotOptions = {}): Plan => {
  const snapshot = aSnapshot({ pending, instanceTypes: types, ...cluster });
  const answer = simulate(snapshot, defaultSchedulingPolicy, () => false);
  expect(validatePlan(snapshot, defaultSchedulingPolicy, answer)).toEqual([]);
  return answer;
};

const typesNamed = ({ plannedNodes }: Plan): readonly (readonly string[] | undefined)[] =>
  plannedNodes.map(({ claim }) => claim.spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values);

describe('a type whose offerings are of several sizes', () => {
  test('carries what fits the smallest that may be launched', () => {
    expect(typesNamed(planBuying([aPod(requesting({ cpuMillis: 3000 }))]))).toEqual([['type-16', 'type-4']]);
  });

  test('carries no more than that where the claim leaves the zone open: a claim names a type, not its size', () => {
    expect(typesNamed(planBuying([aPod(requesting({ cpuMillis: 7000 }))]))).toEqual([['type-16']]);
  });

  test('carries more where only the larger size may be launched', () => {
    expect(typesNamed(planBuying([aPod(requesting({ cpuMillis: 7000 }), inZone('test-zone-2'))]))).toEqual([['type-16', 'type-4']]);
  });

  test('keeps back of each size what its offerings say', () => {
    const wasteful = anInstanceType({ cpus: 4, offerings: [{ ...inFirst, overheadOverride: { cpu: 2000 } }] });
    expect(typesNamed(planBuying([aPod(requesting({ cpuMillis: 3000 }))], [wasteful, dear]))).toEqual([['type-16']]);
  });

  test('has the resources that only its offerings name', () => {
    const withFuse = anInstanceType({ cpus: 4, offerings: [{ ...inFirst, capacityOverride: { 'a.com/fuse': 1 } }] });
    expect(typesNamed(planBuying([aPod(requesting({ cpuMillis: 1000, 'a.com/fuse': 1 }))], [withFuse, dear]))).toEqual([['type-4']]);
  });

  test.each(['9', '12'])('is charged to a limit of %s cpus by the largest size that may be launched', (cpu) => {
    const nodePools = [aNodePool({ limits: { cpu } })];
    const { plannedNodes } = planBuying(
      [3000, 3000].map((cpuMillis) => aPod(requesting({ cpuMillis }))),
      [twoSizes],
      { nodePools },
    );
    expect(plannedNodes).toHaveLength(1);
  });
});
