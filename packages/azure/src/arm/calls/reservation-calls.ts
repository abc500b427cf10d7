import type { ArmApi } from '../arm-api.ts';
import type { CallContext } from './call-context.ts';
import { groupProblem, reservationsOf } from '../../reservations/index.ts';

const GROUP = /\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Compute\/capacityReservationGroups\/([^/]+)$/i;

/**
 * Calls about capacity reservations: two for a group, because only its instance view says what is used, and only the
 * list what of.
 */
export const reservationCalls = ({ clients: { compute }, scope, find }: CallContext): Pick<ArmApi, 'readReservationGroup'> => ({
  readReservationGroup: (id, abortSignal) => {
    const [, resourceGroup = '', name = ''] = GROUP.exec(id) ?? [];
    return find(async () => {
      const [group, reservations] = await Promise.all([
        compute.capacityReservationGroups.get(resourceGroup, name, { expand: 'instanceView', abortSignal }),
        Array.fromAsync(compute.capacityReservations.listByCapacityReservationGroup(resourceGroup, name, { abortSignal })),
      ]);
      const reading = { group, reservations };
      // An answer of another shape fails the call, and not whoever reads it later.
      groupProblem(reading, scope.location);
      reservationsOf(id, reading);
      return reading;
    });
  },
});
