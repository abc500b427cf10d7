import { addBit, emptyBitSet, nextBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import { capacityTypes, labels } from '../../apis/index.ts';
import type { CompiledCatalog } from '../../catalog/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { SchedulingPolicy } from '../policy.ts';

/** One way for a pool to come by nodes: out of a reservation, or by buying what belongs to none. */
export interface Sale {
  readonly reservation: string | undefined;
  /** Available offerings. */
  readonly sold: BitSet;
  /** What a claim has to say so that it gets these and no others. */
  readonly wanted: Requirements;
}

const exactly = (key: string, value: string): Requirement => ({
  key,
  values: { kind: 'in', values: new Set([value]) },
  mayBeAbsent: false,
});

const wantedOf = (reservation: string, label: string): Requirements =>
  new Map([
    [labels.capacityType, exactly(labels.capacityType, capacityTypes.reserved)],
    [label, exactly(label, reservation)],
  ]);

/**
 * The reservations that a catalog knows, by their cheapest offering, and after them what is bought otherwise. A reservation is
 * left out where the policy or the want of a label to ask for it by says so.
 */
export const salesOf = (
  { offerings, availableOfferings }: CompiledCatalog,
  { usesReservations, labelCatalog: { reservationId: label } }: SchedulingPolicy,
): readonly Sale[] => {
  const unreserved = emptyBitSet(offerings.length);
  const byReservation = new Map<string, BitSet>();
  for (let offering = nextBit(availableOfferings, 0); offering >= 0; offering = nextBit(availableOfferings, offering + 1)) {
    const id = offerings[offering]?.reservation?.id;
    const sold = id === undefined ? unreserved : (byReservation.get(id) ?? emptyBitSet(offerings.length));
    addBit(sold, offering);
    if (id !== undefined) byReservation.set(id, sold);
  }
  const reserved = label === undefined || !usesReservations ? [] : [...byReservation];
  return [
    ...reserved.map(([reservation, sold]) => ({ reservation, sold, wanted: wantedOf(reservation, label ?? '') })),
    { reservation: undefined, sold: unreserved, wanted: new Map() },
  ];
};
