import { addBit, emptyBitSet, nextBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import { capacityTypes, labels } from '../../apis/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { SchedulingPolicy } from '../policy.ts';

/** Where a pool's machines come from: one reservation, or everything on sale outside of reservations. */
export interface OfferingSource {
  readonly reservation: string | undefined;
  /** The available offerings of this source. */
  readonly launchable: BitSet;
  /** What a claim must require to be launched from this source and no other. */
  readonly requirements: Requirements;
}

const exactly = (key: string, value: string): Requirement => ({
  key,
  values: { kind: 'in', values: new Set([value]) },
  mayBeAbsent: false,
});

const requirementsFor = (reservation: string, label: string): Requirements =>
  new Map([
    [labels.capacityType, exactly(labels.capacityType, capacityTypes.reserved)],
    [label, exactly(label, reservation)],
  ]);

/**
 * The reservations of a catalog, the one with the cheapest offering first, then what is sold outside of them.
 * Reservations are left out where the policy does not use them, or where the provider has no label to ask for one by.
 */
export const offeringSourcesOf = (
  { offerings, availableOfferings }: CompiledCatalog,
  { usesReservations, labelCatalog: { reservationId: label } }: SchedulingPolicy,
): readonly OfferingSource[] => {
  const unreserved = emptyBitSet(offerings.length);
  const byReservation = new Map<string, BitSet>();
  for (let offering = nextBit(availableOfferings, 0); offering >= 0; offering = nextBit(availableOfferings, offering + 1)) {
    const id = offerings[offering]?.reservation?.id;
    const launchable = id === undefined ? unreserved : (byReservation.get(id) ?? emptyBitSet(offerings.length));
    addBit(launchable, offering);
    if (id !== undefined) byReservation.set(id, launchable);
  }
  const reserved = label === undefined || !usesReservations ? [] : [...byReservation];
  return [
    ...reserved.map(([reservation, launchable]) => ({ reservation, launchable, requirements: requirementsFor(reservation, label ?? '') })),
    { reservation: undefined, launchable: unreserved, requirements: new Map() },
  ];
};
