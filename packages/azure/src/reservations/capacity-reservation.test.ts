import { expect, test } from '@jest/globals';
import { groupProblem, type GroupReading, reservationsOf } from './capacity-reservation.ts';

const GROUP = '/subscriptions/s/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/web';

const aReading = (
  reservation: Partial<GroupReading['reservations'][number]> = {},
  utilizationInfo: object = { currentCapacity: 2, virtualMachinesAllocated: [{ id: '/VMs/A' }] },
): GroupReading => ({
  group: { location: 'EastUS', instanceView: { capacityReservations: [{ name: 'd4', utilizationInfo }] } },
  reservations: [
    { name: 'd4', reservationId: 'r-1', sku: { name: 'Standard_D4s_v3', capacity: 5 }, provisioningState: 'Succeeded', ...reservation },
  ],
});

test('a reservation is what Azure keeps by now, in its zone or in none', () => {
  const known = { id: 'r-1', groupId: GROUP, size: 'Standard_D4s_v3', capacity: 2, machineIds: new Set(['/vms/a']) };
  expect(reservationsOf(GROUP, aReading())).toEqual([{ ...known, zone: '0' }]);
  expect(reservationsOf(GROUP, aReading({ zones: ['2'] }))).toEqual([{ ...known, zone: 'eastus-2' }]);
});

test.each([
  ['that failed', aReading({ provisioningState: 'Failed' })],
  ['for which Azure does not report what it keeps', aReading({}, {})],
  ['that the view of its group does not know yet', aReading({ name: 'new' })],
])('nothing is launched into one %s', (_, reading) => {
  expect(reservationsOf(GROUP, reading)).toEqual([]);
});

test('a group is used in its region, and when it is one that a machine has to name', () => {
  const { group, reservations } = aReading();
  expect(groupProblem({ group, reservations }, 'eastus')).toBeUndefined();
  expect(groupProblem({ group: { ...group, reservationType: 'Targeted' }, reservations }, 'eastus')).toBeUndefined();
  expect(groupProblem({ group: { ...group, reservationType: 'Block' }, reservations }, 'eastus')).toBe(
    'is of type Block, and not Targeted',
  );
  expect(groupProblem({ group, reservations }, 'westus')).toBe('is in EastUS, and not in westus');
});
