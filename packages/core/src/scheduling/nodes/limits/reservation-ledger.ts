import type { LabelCatalog } from '../../../apis/index.ts';
import type { InstanceType } from '../../../catalog/index.ts';
import type { NodeView } from '../../../cluster/index.ts';

/** The reservations that a claim requires; none where it names none. */
const askedBy = ({ claim }: NodeView, label: string): readonly string[] =>
  claim?.spec.requirements.find(({ key, operator }) => key === label && operator === 'In')?.values ?? [];

/**
 * Reservation → what remains of it: the least that any offering says, since offerings may have been read at different
 * moments.
 */
const leastRemaining = (catalogs: Iterable<readonly InstanceType[]>): Map<string, number> => {
  const remaining = new Map<string, number>();
  for (const types of catalogs) {
    for (const { offerings } of types) {
      for (const { reservation } of offerings) {
        if (reservation !== undefined)
          remaining.set(reservation.id, Math.min(reservation.remaining, remaining.get(reservation.id) ?? Number.POSITIVE_INFINITY));
      }
    }
  }
  return remaining;
};

/**
 * Reservation → how many machines may still be planned into it: what the provider reports as remaining, less the
 * claims that wait for their launch into it.
 */
export const openReservations = (
  catalogs: Iterable<readonly InstanceType[]>,
  nodes: readonly NodeView[],
  { reservationId: label }: LabelCatalog,
): ReadonlyMap<string, number> => {
  const remaining = leastRemaining(new Set(catalogs));
  if (label === undefined || remaining.size === 0) return remaining;
  for (const node of nodes) {
    if (node.providerId !== undefined || node.claim === undefined) continue;
    for (const id of askedBy(node, label)) remaining.set(id, (remaining.get(id) ?? 0) - 1);
  }
  return remaining;
};

/** How many machines one answer may still plan into each reservation. */
export class ReservationLedger {
  readonly #left: Map<string, number>;

  constructor(open: ReadonlyMap<string, number>) {
    this.#left = new Map(open);
  }

  hasLeft(reservation: string): boolean {
    return (this.#left.get(reservation) ?? 0) >= 1;
  }

  take(reservation: string): void {
    this.#left.set(reservation, (this.#left.get(reservation) ?? 0) - 1);
  }
}
