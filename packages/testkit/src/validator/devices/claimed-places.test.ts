import { type ClusterSnapshot, defaultSchedulingPolicy, explain, simulate } from '@karpenter/core';
import type { ResourceClaim } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { anInstanceType, aSnapshot } from '../../builders/index.ts';
import { validatePlan } from '../validate-plan.ts';
import { allocated, claimOf, devicesOf, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';

const ZONE = 'topology.kubernetes.io/zone';

const inZones = (...zones: readonly string[]) => ({
  nodeSelectorTerms: zones.map((zone) => ({ matchExpressions: [{ key: ZONE, operator: 'In' as const, values: [zone] }] })),
});

/** The types and zones of the planned nodes, and why pods have no place. */
const answer = (snapshot: ClusterSnapshot) => {
  const plan = simulate(snapshot);
  expect(validatePlan(snapshot, defaultSchedulingPolicy, plan)).toEqual([]);
  const planned = plan.plannedNodes.map(({ cheapest }) => `${cheapest.instanceType.name} ${cheapest.offering.zone}`);
  return { planned, rejected: plan.rejections.map(explain) };
};

describe('where the node of a pod with claims is planned', () => {
  /** Cheaper than others, and too small for any pod. */
  const tiny = anInstanceType({ name: 'tiny', cpus: 0.1, zones: ['test-zone-1'] });

  test('when two zones have devices and only the cheaper type, which has no room, is in the first › in the second', () => {
    const claim = claimOf('a', [request('r')]);
    const slices = ['test-zone-1', 'test-zone-2'].map((zone) => sliceOf(gpus(1), { name: zone, nodeSelector: inZones(zone) }));
    const instanceTypes = [tiny, anInstanceType({ name: 'roomy', zones: ['test-zone-2'] })];
    expect(answer(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim], slices) }))).toEqual({
      planned: ['roomy test-zone-2'],
      rejected: [],
    });
  });

  test.each([[['test-zone-1', 'test-zone-2']], [['test-zone-2', 'test-zone-1']]])(
    'when the devices of its claim are reached from %j and types are in test-zone-2 › there',
    (zones) => {
      const user = usingClaims();
      const held = allocated(claimOf('a', [request('r')]), [], [user]);
      const claim: ResourceClaim = { ...held, status: { ...held.status, allocation: { nodeSelector: inZones(...zones) } } };
      const instanceTypes = [anInstanceType({ name: 'type', zones: ['test-zone-2'] })];
      expect(answer(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim]) }))).toEqual({
        planned: ['type test-zone-2'],
        rejected: [],
      });
    },
  );
});
