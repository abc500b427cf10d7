import type { CapacityReservation as ArmReservation, CapacityReservationGroup } from '@azure/arm-compute';
import { REGIONAL_ZONE, zoneLabelOf } from '../zones/index.ts';

/** Machines of one size that Azure keeps for the subscription, in one zone or in none. */
export interface CapacityReservation {
  /** What Azure tells it apart by for good: a GUID. */
  readonly id: string;
  /** ARM id of its group, as the option says it. */
  readonly groupId: string;
  readonly size: string;
  /** As the zone label says it. */
  readonly zone: string;
  /** How many machines are kept, whether they are used or not. */
  readonly capacity: number;
  /** ARM ids in lower case of the machines that were made out of it; more than `capacity` where Azure had more to give. */
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

type InstanceView = NonNullable<NonNullable<GroupReading['group']['instanceView']>['capacityReservations']>[number];

/**
 * The reservations of a group that a machine can be made out of. One that failed to be made, or of which Azure does not say what is used, is
 * left out: over-allocation, which Azure allows, is nothing that was reserved.
 */
export const reservationsOf = (groupId: string, { group, reservations }: GroupReading): readonly CapacityReservation[] => {
  const views = new Map<string, InstanceView>((group.instanceView?.capacityReservations ?? []).map((view) => [view.name ?? '', view]));
  return reservations.flatMap(({ name = '', reservationId: id, sku, zones: [zone] = [], provisioningState }) => {
    const { currentCapacity: capacity, virtualMachinesAllocated = [] } = views.get(name)?.utilizationInfo ?? {};
    if (id === undefined || sku.name === undefined || capacity === undefined || provisioningState !== 'Succeeded') return [];
    const machineIds = new Set(virtualMachinesAllocated.map((machine) => (machine.id ?? '').toLowerCase()));
    return [
      { id, groupId, size: sku.name, zone: zone === undefined ? REGIONAL_ZONE : zoneLabelOf(group.location, zone), capacity, machineIds },
    ];
  });
};
