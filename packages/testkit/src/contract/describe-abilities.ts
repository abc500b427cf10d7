import { expect } from '@jest/globals';
import { capacityTypes, labels } from '@karpenter/core';
import type { CloudProvider, InstanceType, Node } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor, launched } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { choosing, lastOnSale } from './purchases.ts';
import type { RuleBook } from './rule-book.ts';

type Start = () => Promise<ProviderUnderTest>;

/** What a test of an optional rule cannot do without. Errors: one sentence about what to give. */
const given = <T>(what: T | undefined, name: string): T => {
  if (what === undefined) throw new Error(`give ${name}, or the reason why the rule is skipped`);
  return what;
};

const reservedOf = (types: readonly InstanceType[]) =>
  types.flatMap(({ name, offerings }) =>
    offerings.flatMap(({ reservation, zone, capacityType, isAvailable }) =>
      reservation === undefined ? [] : [{ instanceType: name, zone, capacityType, isAvailable, ...reservation }],
    ),
  );

const remainingOf = (types: readonly InstanceType[], id: string): number =>
  reservedOf(types).find((each) => each.id === id)?.remaining ?? 0;

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

const checkHooks = async ({ registrationHooks }: CloudProvider, subject: ProviderUnderTest): Promise<void> => {
  const { signal } = new AbortController();
  const hooks = given(registrationHooks, 'the provider registrationHooks');
  const names = hooks.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(CAMEL_CASE);
  const claim = claimFor(subject, 'general-joining');
  const known = launched(claim, await callsTo(subject).launch(claim));
  for (const hook of hooks) expect(['satisfied', 'waiting']).toContain((await subject.run(() => hook.check(known, { signal }))).kind);
};

const checkBatch = async (subject: ProviderUnderTest): Promise<void> => {
  const { signal } = new AbortController();
  const callsSoFar = given(subject.launchCalls, 'launchCalls');
  const impossible = { requirements: [{ key: labels.zone, operator: 'In' as const, values: ['no-such-zone'] }] };
  const names = ['general-b1', 'general-b2', 'general-b3', 'general-b4'];
  const claims = [...names.map((name) => claimFor(subject, name)), claimFor(subject, 'general-b5', impossible)];
  const before = callsSoFar();
  const answers = await subject.run(() => Promise.allSettled(claims.map((claim) => subject.provider.create(claim, { signal }))));
  expect(answers.map(({ status }) => status)).toEqual([...names.map(() => 'fulfilled'), 'rejected']);
  expect(callsSoFar() - before).toBeLessThan(names.length);
  expect((await callsTo(subject).list()).map(({ claimName }) => claimName).sort()).toEqual(names);
};

const checkInPlace = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, driftOf, find } = callsTo(subject);
  const { edit, update, isDone } = given(subject.inPlace, 'inPlace');
  const claim = claimFor(subject, 'general-kept');
  const known = launched(claim, await launch(claim));
  expect(isDone(known)).toBe(true);
  await edit();
  expect(isDone(known)).toBe(false);
  expect(await driftOf(known)).toBeUndefined();
  await update(known);
  expect(isDone(known)).toBe(true);
  expect(await find(known.status?.providerID ?? '')).toMatchObject({ claimName: 'general-kept' });
};

const quietNode: Node = { metadata: { name: 'quiet' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };

/** What some clouds can do and others cannot. */
export const describeAbilities = ({ optional }: RuleBook, start: Start): void => {
  optional('R26', async () => {
    await using subject = await start();
    const { launch, types } = callsTo(subject);
    const wanted = lastOnSale(await types());
    given(subject.withhold, 'withhold')(wanted);
    await expect(launch(claimFor(subject, 'general-late', { requirements: choosing(wanted) }))).rejects.toMatchObject({
      name: 'CloudProviderError',
    });
    const type = (await types()).find(({ name }) => name === wanted.instanceType);
    const offering = type?.offerings.find(({ zone, capacityType }) => zone === wanted.zone && capacityType === wanted.capacityType);
    expect(offering?.isAvailable).toBe(false);
  });

  optional('R27', async () => {
    await using subject = await start();
    const { launch, driftOf } = callsTo(subject);
    const claim = claimFor(subject, 'general-old');
    const known = launched(claim, await launch(claim));
    await given(subject.outdate, 'outdate')();
    expect(await driftOf(known)).toMatch(CAMEL_CASE);
  });

  optional('R28', async () => {
    await using subject = await start();
    const { provider } = subject;
    const interruption = provider.interruptionOf?.(given(subject.interruptedNode, 'interruptedNode'));
    expect(interruption?.reason).toMatch(CAMEL_CASE);
    expect(interruption?.deadlineMs).toBeGreaterThan(0);
    expect(provider.interruptionOf?.(quietNode)).toBeUndefined();
  });

  optional('R29', async () => {
    await using subject = await start();
    await checkHooks(subject.provider, subject);
  });

  optional('R30', async () => {
    await using subject = await start();
    const { launch, types } = callsTo(subject);
    const key = given(subject.provider.labelCatalog.reservationId, 'the label catalog a reservationId');
    const before = await types();
    const wanted = given(
      reservedOf(before).find(({ remaining }) => remaining > 0),
      'the provider under test an offering with a reservation',
    );
    expect(wanted.capacityType).toBe(capacityTypes.reserved);
    const machine = await launch(claimFor(subject, 'general-reserved', { requirements: choosing(wanted) }));
    expect(machine.labels).toMatchObject({ [labels.capacityType]: capacityTypes.reserved, [key]: wanted.id });
    expect(remainingOf(await types(), wanted.id)).toBe(wanted.remaining - 1);
  });

  optional('R31', async () => {
    await using subject = await start();
    await checkBatch(subject);
  });

  optional('R32', async () => {
    await using subject = await start();
    await checkInPlace(subject);
  });
};
