import type { ClusterSnapshot, InstanceType } from '@karpenter/core';
import fc from 'fast-check';
import { anOffering } from '../builders/index.ts';

interface Reserved {
  readonly type: number;
  readonly zone: string;
  readonly id: string;
}

const reserving = (
  types: readonly InstanceType[],
  reserved: readonly Reserved[],
  remaining: ReadonlyMap<string, number>,
): readonly InstanceType[] =>
  types.map((type, index) => ({
    ...type,
    offerings: [
      ...type.offerings,
      ...reserved
        .filter((each) => each.type % types.length === index)
        .map(({ zone, id }) =>
          anOffering({ zone, capacityType: 'reserved', pricePerHour: 0.001, reservation: { id, remaining: remaining.get(id) ?? 0 } }),
        ),
    ],
    requirements: new Map(type.requirements).set('karpenter.sh/capacity-type', {
      key: 'karpenter.sh/capacity-type',
      values: { kind: 'in', values: new Set(['spot', 'on-demand', 'reserved']) },
      mayBeAbsent: false,
    }),
  }));

/** The snapshots with a few small reservations of some of their types. To be asked by `reservingLabelCatalog`. */
export const withReservations = (snapshots: fc.Arbitrary<ClusterSnapshot>): fc.Arbitrary<ClusterSnapshot> =>
  fc
    .tuple(
      snapshots,
      fc.uniqueArray(
        fc.record({ type: fc.nat(5), zone: fc.constantFrom('test-zone-1', 'test-zone-2'), id: fc.constantFrom('r-1', 'r-2') }),
        { minLength: 1, maxLength: 4, selector: ({ type, zone, id }) => `${type} ${zone} ${id}` },
      ),
      fc.tuple(fc.nat(3), fc.nat(3)),
    )
    .map(([snapshot, reserved, [first, second]]) => {
      const remaining = new Map([
        ['r-1', first],
        ['r-2', second],
      ]);
      const changed = new Map<readonly InstanceType[], readonly InstanceType[]>();
      const changedOf = (types: readonly InstanceType[]): readonly InstanceType[] => {
        const fresh = changed.get(types) ?? reserving(types, reserved, remaining);
        changed.set(types, fresh);
        return fresh;
      };
      return { ...snapshot, nodePools: snapshot.nodePools.map((pool) => ({ ...pool, instanceTypes: changedOf(pool.instanceTypes) })) };
    });
