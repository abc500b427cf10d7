import type { InstanceType, Offering } from '@karpenter/core';

/** How many machines of a fake cloud went into each reservation, and what its types look like since. */
export class FakeReservations {
  readonly #taken = new Map<string, number>();
  #last: { readonly from: readonly InstanceType[]; readonly offered: readonly InstanceType[] } | undefined;

  take({ reservation }: Offering): void {
    if (reservation === undefined) return;
    this.#taken.set(reservation.id, (this.#taken.get(reservation.id) ?? 0) + 1);
    this.#last = undefined;
  }

  /** The types with what remains now; the same objects as long as nothing was launched into a reservation. */
  offered(types: readonly InstanceType[]): readonly InstanceType[] {
    if (this.#taken.size === 0) return types;
    if (this.#last?.from !== types) this.#last = { from: types, offered: types.map((type) => this.#offeredOf(type)) };
    return this.#last.offered;
  }

  #offeredOf(type: InstanceType): InstanceType {
    const isTouched = type.offerings.some(({ reservation }) => reservation !== undefined && this.#taken.has(reservation.id));
    return isTouched ? { ...type, offerings: type.offerings.map((offering) => this.#left(offering)) } : type;
  }

  #left(offering: Offering): Offering {
    const { reservation } = offering;
    if (reservation === undefined) return offering;
    const { id, remaining } = reservation;
    return { ...offering, reservation: { id, remaining: Math.max(0, remaining - (this.#taken.get(id) ?? 0)) } };
  }
}
