import { expect } from '@jest/globals';
import type { Node } from '@karpenter/core';
import { checkLateFailures } from './check-late-failures.ts';
import { checkPlannedTypes } from './check-planned-types.ts';
import { callsTo } from './provider-calls.ts';
import { claimFor, claimWithMachine } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { choosing, lastOnSale } from './purchases.ts';
import type { RuleBook } from './rule-book.ts';

type Start = () => Promise<ProviderUnderTest>;

/** What a test of an optional rule cannot do without. Errors: one sentence about what to give. */
const given = <T>(what: T | undefined, name: string): T => {
  if (what === undefined) throw new Error(`give ${name}, or the reason why the rule is skipped`);
  return what;
};

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

const checkInPlace = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, driftOf, find } = callsTo(subject);
  const { edit, update, isDone } = given(subject.inPlace, 'inPlace');
  const claim = claimFor(subject, 'general-kept');
  const known = claimWithMachine(claim, await launch(claim));
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
    const known = claimWithMachine(claim, await launch(claim));
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

  optional('R32', async () => {
    await using subject = await start();
    await checkInPlace(subject);
  });

  optional('R33', async () => {
    await using subject = await start();
    await checkLateFailures(subject, given(subject.lateFailures, 'lateFailures'));
  });
  optional('R34', async () => {
    await using subject = await start();
    await checkPlannedTypes(subject);
  });
};
