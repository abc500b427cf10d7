import { describe, expect, test } from '@jest/globals';
import type { CapacityReservation } from './capacity-reservation.ts';
import { ReservationBook } from './reservation-book.ts';

const GROUP = '/subscriptions/S/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/Web';
const HOUR = 3_600_000;

const aReservation = (capacity: number, ...machineIds: readonly string[]): CapacityReservation => ({
  ...{ id: 'r-1', groupId: GROUP, size: 'Standard_D4s_v3', zone: 'eastus-1', capacity },
  machineIds: new Set(machineIds),
});

const aBook = () => {
  const clock = { ms: 0, now: () => clock.ms };
  const book = new ReservationBook({ subscriptionId: 'S', nodeResourceGroup: 'MC_Nodes' }, clock);
  const remaining = (): number | undefined => book.ofSize('Standard_D4s_v3')[0]?.remaining;
  return { clock, book, remaining };
};

describe('what is left of a reservation', () => {
  test('is what Azure keeps less the machines that it counts, whoever made them', () => {
    const { book, remaining } = aBook();
    book.read(GROUP, [aReservation(3, '/subscriptions/s/resourcegroups/other/providers/microsoft.compute/virtualmachines/a')]);
    expect(book.ofSize('standard_d4s_V3')).toEqual([
      { id: 'r-1', group: 'Web', size: 'Standard_D4s_v3', zone: 'eastus-1', capacity: 3, remaining: 2 },
    ]);
    book.read(GROUP, [aReservation(3)]);
    expect(remaining()).toBe(3);
  });

  test('is never less than nothing: Azure makes more machines than it keeps', () => {
    const { book, remaining } = aBook();
    book.read(GROUP, [aReservation(1, 'a', 'b')]);
    expect([remaining(), book.hasRoom('r-1', 'aks-b')]).toEqual([0, false]);
  });

  test('is counted down from the moment at which Azure accepts a machine; its place is kept before', () => {
    const { book, remaining } = aBook();
    book.read(GROUP, [aReservation(1)]);
    book.hold('aks-a', 'r-1');
    expect([remaining(), book.hasRoom('r-1', 'aks-b')]).toEqual([1, false]);
    book.take('aks-a', 'r-1');
    expect(remaining()).toBe(0);
    book.release('aks-a');
    expect([remaining(), book.hasRoom('r-1', 'aks-b')]).toEqual([1, true]);
  });

  test('has room for the machine that holds the place, and for no other', () => {
    const { book } = aBook();
    book.read(GROUP, [aReservation(1)]);
    book.hold('aks-a', 'r-1');
    expect([book.hasRoom('r-1', 'aks-a'), book.hasRoom('r-1', 'aks-b')]).toEqual([true, false]);
    book.letGo('aks-a');
    expect(book.hasRoom('r-1', 'aks-b')).toBe(true);
  });

  test('does not forget a machine that was requested twice, accepted once and refused once', () => {
    const { book, remaining } = aBook();
    book.read(GROUP, [aReservation(1)]);
    book.hold('aks-a', 'r-1');
    book.take('aks-a', 'r-1');
    book.hold('aks-a', 'r-1');
    book.letGo('aks-a');
    expect(remaining()).toBe(0);
  });

  test('counts a machine once, when Azure counts it too', () => {
    const { book, remaining } = aBook();
    book.read(GROUP, [aReservation(3)]);
    book.take('aks-a', 'r-1');
    book.read(GROUP, [aReservation(3, book.machineId('aks-a'))]);
    expect(remaining()).toBe(2);
    book.read(GROUP, [aReservation(3)]);
    expect(remaining()).toBe(3);
  });

  test('does not wait for ever for Azure to count a machine', () => {
    const { book, clock, remaining } = aBook();
    book.read(GROUP, [aReservation(1)]);
    book.take('aks-a', 'r-1');
    clock.ms = HOUR;
    book.read(GROUP, [aReservation(1)]);
    expect(remaining()).toBe(1);
  });

  test('is another version only when it is another', () => {
    const { book } = aBook();
    book.read(GROUP, [aReservation(2, 'a')]);
    const before = book.version;
    book.read(GROUP, [aReservation(2, 'b')]);
    expect(book.version).toBe(before);
    book.read(GROUP, [aReservation(2)]);
    expect(book.version).toBe(before + 1);
  });
});

test('a machine belongs to the reservation of its size and zone in the group that it names', () => {
  const { book } = aBook();
  book.read(GROUP, [aReservation(1)]);
  const machine = { size: 'Standard_D4s_v3', zone: 'eastus-1', capacityReservationGroupId: GROUP.toUpperCase() };
  expect(book.behind(machine)).toEqual({ id: 'r-1', group: 'Web' });
  expect(book.behind({ ...machine, zone: '0' })).toBeUndefined();
  expect(book.behind({ ...machine, size: 'Standard_D8s_v3' })).toBeUndefined();
  expect(book.behind({ ...machine, capacityReservationGroupId: undefined })).toBeUndefined();
});
