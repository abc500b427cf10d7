import type { ClusterSnapshot, InstanceType, Offering } from '@karpenter/core';
import { getOrMake } from '@karpenter/core/internal';
import fc from 'fast-check';
import { anOffering, oneOf } from '../builders/index.ts';

interface Reserved {
  readonly type: number;
  readonly zone: string;
  readonly id: string;
}

const union = (key: string, offerings: readonly Offering[], valueOf: (offering: Offering) => string): InstanceType['requirements'] =>
  new Map([[key, oneOf(key, ...new Set(offerings.map(valueOf)))]]);

const withOfferings = (type: InstanceType, more: readonly Offering[]): InstanceType => {
  const offerings = [...type.offerings, ...more];
  const requirements = new Map([
    ...type.requirements,
    ...union('topology.kubernetes.io/zone', offerings, ({ zone }) => zone),
    ...union('karpenter.sh/capacity-type', offerings, ({ capacityType }) => capacityType),
  ]);
  return { ...type, offerings, requirements };
};

const reserving = (
  types: readonly InstanceType[],
  reserved: readonly Reserved[],
  remaining: ReadonlyMap<string, number>,
): readonly InstanceType[] =>
  types.map((type, index) => {
    const own = reserved.filter((each) => each.type % types.length === index);
    const offerings = own.map(({ zone, id }) =>
      anOffering({ zone, capacityType: 'reserved', pricePerHour: 0.001, reservation: { id, remaining: remaining.get(id) ?? 0 } }),
    );
    return withOfferings(type, offerings);
  });

const someReserved = fc.uniqueArray(
  fc.record({ type: fc.nat(5), zone: fc.constantFrom('test-zone-1', 'test-zone-2'), id: fc.constantFrom('r-1', 'r-2') }),
  { minLength: 1, maxLength: 4, selector: ({ type, zone, id }) => `${type} ${zone} ${id}` },
);

const someRemaining = fc.tuple(fc.nat(3), fc.nat(3)).map(
  ([first, second]) =>
    new Map([
      ['r-1', first],
      ['r-2', second],
    ]),
);

/** The snapshots with a few small reservations of some of their types. Their pods use `catalogWithReservations`. */
export const withReservations = (snapshots: fc.Arbitrary<ClusterSnapshot>): fc.Arbitrary<ClusterSnapshot> =>
  fc.tuple(snapshots, someReserved, someRemaining).map(([snapshot, reserved, remaining]) => {
    const changed = new Map<readonly InstanceType[], readonly InstanceType[]>();
    const changedOf = (types: readonly InstanceType[]): readonly InstanceType[] => {
      return getOrMake(changed, types, () => reserving(types, reserved, remaining));
    };
    return { ...snapshot, nodePools: snapshot.nodePools.map((pool) => ({ ...pool, instanceTypes: changedOf(pool.instanceTypes) })) };
  });
