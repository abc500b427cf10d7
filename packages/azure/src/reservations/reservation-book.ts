import { type CapacityReservation, groupNameOf } from './capacity-reservation.ts';

/** What names a reservation on offerings and machines. */
export interface ReservationName {
  readonly id: string;
  /** Name of its group. */
  readonly group: string;
}

/** A reservation on sale: how many machines may still be launched into it. */
export interface OfferedReservation extends ReservationName, Pick<CapacityReservation, 'size' | 'zone' | 'capacity'> {
  readonly remaining: number;
}

/** What of a machine says which reservation it was made out of. */
export interface ReservedMachine {
  readonly size: string;
  readonly zone: string;
  readonly capacityReservationGroupId?: string | undefined;
}

interface Launch {
  readonly reservationId: string;
  /** Undefined until Azure has accepted the machine. */
  readonly acceptedAtMs: number | undefined;
}

/** By then Azure counts an accepted machine, or has removed it. */
const SEEN_WITHIN_MS = 600_000;

/**
 * What is kept for the subscription, and what of it is taken. Azure says which machines it counts; those that were
 * accepted since are counted here until it does.
 */
export class ReservationBook {
  readonly #prefix: string;
  readonly #clock: { now(): number };
  /** Id of a group in lower case → what was last read of it. */
  readonly #groups = new Map<string, readonly CapacityReservation[]>();
  /** ARM id of a machine in lower case → the launch that Azure does not count yet. */
  readonly #launches = new Map<string, Launch>();
  #offered: readonly OfferedReservation[] = [];
  #bySize: ReadonlyMap<string, readonly OfferedReservation[]> = new Map();
  #version = 0;

  constructor(at: { readonly subscriptionId: string; readonly nodeResourceGroup: string }, clock: { now(): number }) {
    this.#prefix =
      `/subscriptions/${at.subscriptionId}/resourceGroups/${at.nodeResourceGroup}/providers/Microsoft.Compute/virtualMachines/`.toLowerCase();
    this.#clock = clock;
  }

  /** Grows whenever what is offered has changed. */
  get version(): number {
    return this.#version;
  }

  /** Every reservation, also those that are used up. */
  get offered(): readonly OfferedReservation[] {
    return this.#offered;
  }

  /** Puts what was read of a group in place of what was known of it. */
  read(groupId: string, reservations: readonly CapacityReservation[]): void {
    this.#groups.set(groupId.toLowerCase(), reservations);
    const counted = new Set(reservations.flatMap(({ machineIds }) => [...machineIds]));
    const nowMs = this.#clock.now();
    for (const [machine, { acceptedAtMs = nowMs }] of this.#launches)
      if (counted.has(machine) || acceptedAtMs + SEEN_WITHIN_MS < nowMs) this.#launches.delete(machine);
    this.#offer();
  }

  /** Whether the group was ever read. */
  knows(groupName: string): boolean {
    return [...this.#groups.keys()].some((groupId) => groupNameOf(groupId) === groupName.toLowerCase());
  }

  find(reservationId: string): CapacityReservation | undefined {
    return this.#all().find(({ id }) => id === reservationId);
  }

  /** Those of a size. */
  ofSize(size: string): readonly OfferedReservation[] {
    return this.#bySize.get(size.toLowerCase()) ?? [];
  }

  /** Whether the machine may be launched into it, with the others that are being asked for counted. */
  hasRoom(reservationId: string, machineName: string): boolean {
    const reservation = this.find(reservationId);
    const own = this.#launches.get(this.machineId(machineName));
    return reservation !== undefined && this.#remaining(reservation, (launch) => launch !== own) > 0;
  }

  /** The machine is being requested: its place is taken. */
  hold(machineName: string, reservationId: string): void {
    const machine = this.machineId(machineName);
    if (!this.#launches.has(machine)) this.#launches.set(machine, { reservationId, acceptedAtMs: undefined });
  }

  /** The request for the machine ended: unless it was accepted, its place is free again. */
  letGo(machineName: string): void {
    const machine = this.machineId(machineName);
    if (this.#launches.get(machine)?.acceptedAtMs === undefined) this.#launches.delete(machine);
  }

  /** Azure has accepted the machine: from now on plans count it. */
  take(machineName: string, reservationId: string): void {
    this.#launches.set(this.machineId(machineName), { reservationId, acceptedAtMs: this.#clock.now() });
    this.#offer();
  }

  /** The machine is gone. */
  release(machineName: string): void {
    if (this.#launches.delete(this.machineId(machineName))) this.#offer();
  }

  /**
   * The reservation that a machine was made out of; undefined for one that is bought, also when its reservation is
   * there no longer.
   */
  behind({ size, zone, capacityReservationGroupId: groupId }: ReservedMachine): ReservationName | undefined {
    const found = this.#groups.get(groupId?.toLowerCase() ?? '')?.find((each) => each.zone === zone && isOfSize(each, size));
    return found && nameOf(found);
  }

  /** ARM id in lower case of a machine of ours. */
  machineId(machineName: string): string {
    return `${this.#prefix}${machineName.toLowerCase()}`;
  }

  #all(): readonly CapacityReservation[] {
    return [...this.#groups.values()].flat();
  }

  #remaining({ id, capacity, machineIds }: CapacityReservation, isCounted: (launch: Launch) => boolean): number {
    const launched = [...this.#launches].filter(([machine, launch]) => launch.reservationId === id && !machineIds.has(machine));
    return Math.max(0, capacity - machineIds.size - launched.filter(([, launch]) => isCounted(launch)).length);
  }

  #offer(): void {
    const offered = this.#all().map((reservation) => {
      const { size, zone, capacity } = reservation;
      const remaining = this.#remaining(reservation, ({ acceptedAtMs }) => acceptedAtMs !== undefined);
      return { ...nameOf(reservation), size, zone, capacity, remaining };
    });
    if (JSON.stringify(offered) === JSON.stringify(this.#offered)) return;
    this.#offered = offered;
    this.#bySize = Map.groupBy(offered, ({ size }) => size.toLowerCase());
    this.#version++;
  }
}

const isOfSize = (reservation: CapacityReservation, size: string): boolean => reservation.size.toLowerCase() === size.toLowerCase();

const nameOf = ({ id, groupId }: CapacityReservation): ReservationName => ({ id, group: groupNameOf(groupId) });
