import type { QuotaClaim } from '../quota-ledger.ts';
import type { VmEntry } from '../vms/vm-entry.ts';

/** A capacity reservation inside the emulator: machines of one size that are kept, in a zone or anywhere in the region. */
export interface ReservationEntry {
  readonly id: string;
  readonly name: string;
  /** The unique id that Azure assigns. */
  readonly reservationId: string;
  readonly size: string;
  /** Logical; undefined: a machine in no zone. */
  readonly zone: string | undefined;
  /** What one machine takes of the quota. */
  readonly claim: QuotaClaim;
  quantity: number;
  /** Machines that name the group and are of this size and zone. */
  readonly associated: Set<VmEntry>;
}

/** A capacity reservation group inside the emulator. */
export interface ReservationGroupEntry {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  /** Name → reservation. */
  readonly reservations: Map<string, ReservationEntry>;
}

const referenceTo = (id: string): object => ({ id });

/** ARM writes the names of groups in capitals here. */
const machineReference = ({ id, resourceGroup }: VmEntry): object =>
  referenceTo(id.replace(`/resourceGroups/${resourceGroup}/`, `/resourceGroups/${resourceGroup.toUpperCase()}/`));

const viewOf = ({ name, quantity, associated }: ReservationEntry): object => ({
  name,
  utilizationInfo: {
    currentCapacity: quantity,
    virtualMachinesAllocated: [...associated].filter(({ state }) => state !== 'Failed').map(machineReference),
  },
  statuses: [{ code: 'ProvisioningState/succeeded', level: 'Info', displayStatus: 'Provisioning succeeded' }],
});

/** The reservation as ARM shows it. */
export const reservationResource = (entry: ReservationEntry, { location }: ReservationGroupEntry): object => ({
  id: entry.id,
  name: entry.name,
  type: 'Microsoft.Compute/capacityReservationGroups/capacityReservations',
  location,
  ...(entry.zone !== undefined && { zones: [entry.zone] }),
  sku: { name: entry.size, capacity: entry.quantity },
  properties: {
    reservationId: entry.reservationId,
    provisioningState: 'Succeeded',
    virtualMachinesAssociated: [...entry.associated].map(machineReference),
  },
});

/** The group as ARM shows it; with its instance view it says what is used of each reservation. */
export const groupResource = ({ id, name, location, reservations }: ReservationGroupEntry, withView: boolean): object => {
  const all = [...reservations.values()];
  const zones = [...new Set(all.flatMap(({ zone }) => zone ?? []))].sort();
  return {
    id,
    name,
    type: 'Microsoft.Compute/capacityReservationGroups',
    location,
    ...(zones.length > 0 && { zones }),
    properties: {
      reservationType: 'Targeted',
      capacityReservations: all.map((entry) => referenceTo(entry.id)),
      virtualMachinesAssociated: all.flatMap(({ associated }) => [...associated].map(machineReference)),
      ...(withView && { instanceView: { capacityReservations: all.map(viewOf) } }),
    },
  };
};
