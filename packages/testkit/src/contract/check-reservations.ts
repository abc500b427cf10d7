import { expect } from '@jest/globals';
import { admits, capacityTypes, labels } from '@karpenter/core';
import type { InstanceType, Offering } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { choosing } from './purchases.ts';

interface Reserved extends Offering {
  readonly instanceType: string;
  readonly reservation: NonNullable<Offering['reservation']>;
}

const reservedOf = (types: readonly InstanceType[]): readonly Reserved[] =>
  types.flatMap(({ name, offerings }) =>
    offerings.flatMap((offering) =>
      offering.reservation === undefined ? [] : [{ ...offering, reservation: offering.reservation, instanceType: name }],
    ),
  );

const remainingOf = (types: readonly InstanceType[], id: string): number | undefined =>
  reservedOf(types).find(({ reservation }) => reservation.id === id)?.reservation.remaining;

/** Core asks for a reservation by the label; the machine says by it which one it is. */
const checkReservation = async (subject: ProviderUnderTest, key: string): Promise<void> => {
  const { launch, types } = callsTo(subject);
  const wanted = reservedOf(await types()).find(({ reservation, isAvailable }) => isAvailable && reservation.remaining > 0);
  if (wanted === undefined) throw new Error('its label catalog names reservations: the provider under test must sell out of one');
  const { id, remaining } = wanted.reservation;
  const named = wanted.requirements.get(key);
  const admitted = named !== undefined && admits(named, id);
  expect({ instanceType: wanted.instanceType, label: key, reservation: id, admitted }).toMatchObject({ admitted: true });
  const requirements = [...choosing(wanted), { key, operator: 'In' as const, values: [id] }];
  for (let left = remaining; left > 0; left--) {
    const machine = await launch(claimFor(subject, `general-reserved-${left}`, { requirements }));
    expect(machine.labels).toMatchObject({ [labels.capacityType]: capacityTypes.reserved, [key]: id });
    expect(remainingOf(await types(), id)).toBe(left - 1);
  }
  await expect(launch(claimFor(subject, 'general-too-many', { requirements }))).rejects.toMatchObject({
    name: 'CloudProviderError',
    code: 'insufficient-capacity',
  });
};

/** Uses a reservation up where the label catalog says that there are some; otherwise nothing may be reserved. */
export const checkReservations = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, types } = callsTo(subject);
  for (const { name, offerings } of await types())
    for (const { capacityType, reservation } of offerings)
      expect({ type: name, reservation, capacityType }).toMatchObject({
        capacityType: reservation === undefined ? expect.not.stringMatching(/^reserved$/) : capacityTypes.reserved,
      });
  const key = subject.provider.labelCatalog.reservationId;
  if (key !== undefined) return checkReservation(subject, key);
  expect(reservedOf(await types())).toEqual([]);
  const machine = await launch(claimFor(subject, 'general-bought'));
  expect(machine.labels[labels.capacityType]).not.toBe(capacityTypes.reserved);
};
