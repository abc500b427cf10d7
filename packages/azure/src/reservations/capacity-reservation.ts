import type { CapacityReservation as ArmReservation, CapacityReservationGroup } from '@azure/arm-compute';
import { REGIONAL_ZONE, zoneLabelOf } from '../zones/index.ts';

/** Machines of one size that Azure keeps for the subscription, in one zone or in none. */
export interface CapacityReservation {
  /** The GUID by which Azure identifies it for good. */
  readonly id: string;
  /** ARM id of its group, as written in the option. */
  readonly groupId: string;
  readonly size: string;
  /** As in the zone label. */
  readonly zone: string;
  /** How many machines Azure keeps, used or not. */
  readonly capacity: number;
  /** ARM ids, in lower case, of its machines; more than `capacity` if Azure over-allocated. */
  readonly machineIds: ReadonlySet<string>;
}

/** What Azure says of a group, with its instance view, and of the reservations in it. */
export interface GroupReading {
  readonly group: Pick<CapacityReservationGroup, 'location' | 'reservationType' | 'instanceView'>;
  readonly reservations: readonly Pick<ArmReservation, 'name' | 'reservationId' | 'sku' | 'zones' | 'provisioningState'>[];
}

/** The name of a group, by which pools may choose it. */
export const groupNameOf = (groupId: string): string => groupId.slice(groupId.lastIndexOf('/') + 1);

/** Why nothing can be launched into a group, in words that follow its name; undefined when something can. */
export const groupProblem = ({ group }: GroupReading, location: string): string | undefined => {
  if (group.location.toLowerCase() !== location) return `is in ${group.location}, and not in ${location}`;
  const type = group.reservationType ?? 'Targeted';
  return type === 'Targeted' ? undefined : `is of type ${type}, and not Targeted`;
};

type ArmReservationReading = GroupReading['reservations'][number];

/** How many machines are kept, and which were made out of them; undefined where Azure does not say. */
const usedOf = ({ group }: GroupReading, name: string | undefined): Pick<CapacityReservation, 'capacity' | 'machineIds'> | undefined => {
  const used = group.instanceView?.capacityReservations?.find((view) => view.name === name)?.utilizationInfo;
  if (used?.currentCapacity === undefined) return undefined;
  const machineIds = new Set((used.virtualMachinesAllocated ?? []).map(({ id = '' }) => id.toLowerCase()));
  return { capacity: used.currentCapacity, machineIds };
};

const zoneOf = ({ zones }: ArmReservationReading, location: string): string =>
  zones?.[0] === undefined ? REGIONAL_ZONE : zoneLabelOf(location, zones[0]);

/**
 * The reservations of a group that a machine can be made out of. Leaves out those whose creation failed or whose usage
 * Azure does not report: Azure allows over-allocation, but that capacity is not reserved.
 */
export const reservationsOf = (groupId: string, reading: GroupReading): readonly CapacityReservation[] =>
  reading.reservations.flatMap((reservation) => {
    const { name, reservationId: id, sku, provisioningState } = reservation;
    const used = provisioningState === 'Succeeded' ? usedOf(reading, name) : undefined;
    if (id === undefined || sku.name === undefined || used === undefined) return [];
    return [{ id, groupId, size: sku.name, zone: zoneOf(reservation, reading.group.location), ...used }];
  });
