import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { SchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aSnapshotOf, reorder, withReservations } from '../arbitraries/index.ts';
import { catalogWithReservations } from '../builders/index.ts';
import { lawRuns } from './testing/law-runs.ts';
import { validatePlan } from './validate-plan.ts';

const snapshots = withReservations(aSnapshotOf({ pods: 24, types: 6 }));
const reserving: SchedulingPolicy = { ...defaultSchedulingPolicy, labelCatalog: catalogWithReservations };

const using: readonly SchedulingPolicy[] = [reserving, { ...reserving, packing: 'first-fit' }];

describe.each([...using, { ...reserving, usesReservations: false }])('reserved capacity ($packing, used: $usesReservations)', (policy) => {
  test('is never promised to more nodes than it has room for, whatever else there is', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        expect(validatePlan(snapshot, policy, simulate(snapshot, policy))).toEqual([]);
      }),
      lawRuns({ usual: 40, all: 100 }),
    );
  });

  test('is given out the same way whatever the order in which things arrived', () => {
    fc.assert(
      fc.property(snapshots, fc.nat(20), (snapshot, seed) => {
        const claims = (order: typeof snapshot): unknown => simulate(order, policy).plannedNodes.map(({ claim }) => claim);
        expect(claims(reorder(snapshot, seed))).toEqual(claims(snapshot));
      }),
      lawRuns({ usual: 25, all: 60 }),
    );
  });
});

describe.each(using)('reserved capacity that is used ($packing)', (policy) => {
  test('leaves no pod without a place that would find one where nothing is reserved', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const unlimited = {
          ...snapshot,
          nodePools: snapshot.nodePools.map((pool) => ({
            ...pool,
            nodePool: { ...pool.nodePool, spec: { ...pool.nodePool.spec, limits: {} } },
          })),
          pendingPods: snapshot.pendingPods.filter(
            ({ spec }) => spec.affinity === undefined && spec.topologySpreadConstraints === undefined,
          ),
          nodes: [],
        };
        const without = simulate(unlimited, { ...policy, usesReservations: false });
        expect(simulate(unlimited, policy).rejections.length).toBeLessThanOrEqual(without.rejections.length);
      }),
      lawRuns({ usual: 30, all: 60 }),
    );
  });
});
