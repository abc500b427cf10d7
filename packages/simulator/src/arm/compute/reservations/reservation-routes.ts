import { resourceNotFound } from '../../network/network-refusals.ts';
import { pagedList } from '../../serve/paged-list.ts';
import { ok, refused } from '../../serve/replies.ts';
import type { ArmReply, ArmRequest, Route } from '../../serve/route.ts';
import type { ArmWorld } from '../../world.ts';
import type { CapacityReservations } from './capacity-reservations.ts';
import { groupResource, reservationResource } from './reservation-entry.ts';

const TYPE = 'Microsoft.Compute/capacityReservationGroups';

/** Capacity reservation groups over HTTP: they are made by `ArmEmulator.reservations`, so that here they are only read. */
export const reservationRoutes = (world: ArmWorld, reservations: CapacityReservations): readonly Route[] => {
  const path = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}/{name}`;
  const notFound = ({ params }: ArmRequest): ArmReply =>
    refused(resourceNotFound(TYPE, params['name'] ?? '', params['resourceGroup'] ?? ''));
  return [
    {
      operation: 'CapacityReservationGroups_Get',
      method: 'GET',
      path,
      handle: (request) => {
        const group = reservations.find(request.path);
        return group === undefined ? notFound(request) : ok(groupResource(group, request.query.get('$expand') === 'instanceView'));
      },
    },
    {
      operation: 'CapacityReservations_ListByCapacityReservationGroup',
      method: 'GET',
      path: `${path}/capacityReservations`,
      handle: (request) => {
        const group = reservations.find(request.path.slice(0, request.path.lastIndexOf('/')));
        if (group === undefined) return notFound(request);
        const rows = [...group.reservations.values()].map((entry) => reservationResource(entry, group));
        return pagedList(rows, request, { url: world.url, pageSize: world.pageSize ?? 100 });
      },
    },
  ];
};
