import { parentOf } from '../../arm-id.ts';
import { resourceNotFound } from '../../serve/not-found.ts';
import { pagedList } from '../../serve/paged-list.ts';
import { ok } from '../../serve/replies.ts';
import type { ArmRoute } from '../../serve/route.ts';
import type { ArmWorld } from '../../world.ts';
import type { CapacityReservations } from './capacity-reservations.ts';
import { groupResource, reservationResource } from './reservation-entry.ts';

const TYPE = 'Microsoft.Compute/capacityReservationGroups';

/** Capacity reservation groups over HTTP: they are made by `ArmEmulator.reservations`, so that here they are only read. */
export const reservationRoutes = (world: ArmWorld, reservations: CapacityReservations): readonly ArmRoute[] => {
  const path = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}/{name}`;
  return [
    {
      operation: 'CapacityReservationGroups_Get',
      method: 'GET',
      path,
      handle: (request) => {
        const group = reservations.find(request.path);
        return group === undefined
          ? resourceNotFound(request, TYPE)
          : ok(groupResource(group, request.query.get('$expand') === 'instanceView'));
      },
    },
    {
      operation: 'CapacityReservations_ListByCapacityReservationGroup',
      method: 'GET',
      path: `${path}/capacityReservations`,
      handle: (request) => {
        const group = reservations.find(parentOf(request.path));
        if (group === undefined) return resourceNotFound(request, TYPE);
        const rows = [...group.reservations.values()].map((entry) => reservationResource(entry, group));
        return pagedList(rows, request, { world });
      },
    },
  ];
};
