import { describe, expect, test } from '@jest/globals';
import { fakeClock, silentLogger } from '@karpenter/runtime';
import { ArmError } from '../../arm/arm-error.ts';
import { type GroupReading, ReservationBook } from '../../reservations/index.ts';
import { reservationKeeper } from './reservation-refresh.ts';

const context = { signal: new AbortController().signal };
const groupId = (name: string): string =>
  `/subscriptions/s/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/${name}`;

const reading = (name: string, capacity: number): GroupReading => ({
  group: { location: 'eastus', instanceView: { capacityReservations: [{ name, utilizationInfo: { currentCapacity: capacity } }] } },
  reservations: [{ name, reservationId: name, sku: { name: 'Standard_D4s_v3' }, provisioningState: 'Succeeded' }],
});

const startReservations = () => {
  const clock = fakeClock();
  const warned: string[] = [];
  const answers = new Map<string, GroupReading | Error>();
  const reservations = new ReservationBook({ subscriptionId: 's', nodeResourceGroup: 'nodes' }, clock);
  const { controller } = reservationKeeper({
    arm: {
      readReservationGroup: (id) => {
        const answer = answers.get(id);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
    options: { capacityReservationGroups: [groupId('web'), groupId('batch')], location: 'eastus' },
    logger: { ...silentLogger, warn: (message) => void warned.push(message) },
    reservations,
    clock,
  });
  const run = async (): Promise<readonly string[]> => {
    await controller.reconcile(context);
    await clock.advance(60_000);
    return reservations.ofSize('Standard_D4s_v3').map(({ id, remaining }) => `${id} ${remaining}`);
  };
  return { answers, run, warned };
};

describe('capacity reservations', () => {
  test('are read group by group, and again every minute', async () => {
    const { answers, run } = startReservations();
    answers.set(groupId('web'), reading('web', 2)).set(groupId('batch'), reading('batch', 1));
    expect(await run()).toEqual(['web 2', 'batch 1']);
    answers.set(groupId('web'), reading('web', 5));
    expect(await run()).toEqual(['web 5', 'batch 1']);
  });

  test('of a group that cannot be read stay as they were, and it is said once why', async () => {
    const { answers, run, warned } = startReservations();
    answers.set(groupId('web'), reading('web', 2)).set(groupId('batch'), reading('batch', 1));
    await run();
    answers.set(groupId('web'), new ArmError('give the identity the role "Reader"', { code: 'forbidden', cause: undefined }));
    answers.set(groupId('batch'), reading('batch', 3));
    expect(await run()).toEqual(['web 2', 'batch 3']);
    await run();
    expect(warned).toEqual([
      'a capacity reservation group could not be read; what was known of it stays: give the identity the role "Reader"',
    ]);
  });

  test('of a group that is gone are sold no longer', async () => {
    const { answers, run, warned } = startReservations();
    answers.set(groupId('web'), reading('web', 2)).set(groupId('batch'), reading('batch', 1));
    await run();
    answers.delete(groupId('web'));
    expect(await run()).toEqual(['batch 1']);
    expect(warned).toEqual(['a capacity reservation group is not there']);
  });
});
