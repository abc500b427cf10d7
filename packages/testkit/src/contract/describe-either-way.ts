import { expect } from '@jest/globals';
import { admits, capacityTypes, labels } from '@karpenter/core';
import type { InstanceType, Offering } from '@karpenter/core';
import { given } from './given.ts';
import { callsTo } from './provider-calls.ts';
import { claimFor, launched } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { choosing } from './purchases.ts';
import type { RuleBook } from './rule-book.ts';

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

/** More often than any hook needs to be asked. */
const MOST_ROUNDS = 200;

const checkRegistration = async (subject: ProviderUnderTest): Promise<void> => {
  const { signal } = new AbortController();
  const { registrationHooks: hooks = [] } = subject.provider;
  const names = hooks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(CAMEL_CASE);
  const claim = claimFor(subject, 'general-joining');
  const machine = await callsTo(subject).launch(claim);
  expect(Object.keys(machine.labels).filter((label) => label === labels.registered || label === labels.initialized)).toEqual([]);
  const known = launched(claim, machine);
  await subject.join?.(known);
  let pending = names;
  for (let round = 0; round < MOST_ROUNDS && pending.length > 0; round++) {
    const answers = await Promise.all(
      hooks.map(async (hook) => ({ name: hook.name, ...(await subject.run(() => hook.check(known, { signal }))) })),
    );
    for (const { kind } of answers) expect(['satisfied', 'waiting']).toContain(kind);
    pending = answers.filter(({ kind }) => kind === 'waiting').map(({ name }) => name);
  }
  expect(pending).toEqual([]);
};

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
  const wanted = given(
    reservedOf(await types()).find(({ reservation, isAvailable }) => isAvailable && reservation.remaining > 0),
    'the provider under test an offering with a reservation',
  );
  const { id, remaining } = wanted.reservation;
  const named = wanted.requirements.get(key);
  expect(named !== undefined && admits(named, id)).toBe(true);
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

const checkReservations = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, types } = callsTo(subject);
  for (const { offerings } of await types())
    for (const { capacityType, reservation } of offerings) expect(capacityType === capacityTypes.reserved).toBe(reservation !== undefined);
  const key = subject.provider.labelCatalog.reservationId;
  if (key !== undefined) return checkReservation(subject, key);
  expect(reservedOf(await types())).toEqual([]);
  const machine = await launch(claimFor(subject, 'general-bought'));
  expect(machine.labels[labels.capacityType]).not.toBe(capacityTypes.reserved);
};

const checkTogether = async (subject: ProviderUnderTest): Promise<void> => {
  const { signal } = new AbortController();
  const { launchCalls, launchesTogether = false } = subject;
  const impossible = { requirements: [{ key: labels.zone, operator: 'In' as const, values: ['no-such-zone'] }] };
  const names = ['general-b1', 'general-b2', 'general-b3'];
  const claims = [...names.map((name) => claimFor(subject, name)), claimFor(subject, 'general-b4', impossible)];
  const before = launchCalls();
  const answers = await subject.run(() => Promise.allSettled(claims.map((claim) => subject.provider.create(claim, { signal }))));
  expect(answers.map(({ status }) => status)).toEqual([...names.map(() => 'fulfilled'), 'rejected']);
  expect(launchCalls() - before).toBeLessThanOrEqual(launchesTogether ? names.length - 1 : claims.length);
  expect((await callsTo(subject).list()).map(({ claimName }) => claimName).sort()).toEqual(names);
};

/** Rules about abilities that a provider keeps with the ability or without it. */
export const describeEitherWay = ({ mandatory }: RuleBook, start: () => Promise<ProviderUnderTest>): void => {
  mandatory('R29', async () => {
    await using subject = await start();
    await checkRegistration(subject);
  });

  mandatory('R30', async () => {
    await using subject = await start();
    await checkReservations(subject);
  });

  mandatory('R31', async () => {
    await using subject = await start();
    await checkTogether(subject);
  });
};
