import { expect } from '@jest/globals';
import { failedLaunchOf, labels, type Machine } from '@karpenter/core';
import type { FailedLaunch } from '@karpenter/core/internal';
import { callsTo } from './provider-calls.ts';
import { claimFor, claimWithMachine } from './provider-under-test.ts';
import type { LateFailuresUnderTest, ProviderUnderTest } from './provider-under-test.ts';

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

interface Launching {
  readonly subject: ProviderUnderTest;
  readonly late: LateFailuresUnderTest;
  readonly claimName: string;
}

/** A launch that was accepted, and what was reported to core in the end. */
interface SeenLaunch {
  readonly machine: Machine;
  readonly reported: FailedLaunch | undefined;
}

const launchToItsEnd = async ({ subject, late, claimName }: Launching): Promise<SeenLaunch> => {
  const claim = claimFor(subject, claimName);
  late.put(claim);
  const machine = await callsTo(subject).launch(claim);
  await late.settle();
  const reported = late.read(claimName);
  // Core has to end it: a claim that the provider deletes itself counts for no pause.
  expect(reported).toBeDefined();
  return { machine, reported: reported && failedLaunchOf(reported) };
};

const isOffered = async (subject: ProviderUnderTest, { labels: bought }: Machine): Promise<boolean | undefined> => {
  const type = (await callsTo(subject).types()).find(({ name }) => name === bought[labels.instanceType]);
  return type?.offerings.find(({ zone, capacityType }) => zone === bought[labels.zone] && capacityType === bought[labels.capacityType])
    ?.isAvailable;
};

/** As core ends the claim. */
const checkNothingLeft = async ({ subject, late, claimName }: Launching, machine: Machine): Promise<void> => {
  const { removeFully, find, list } = callsTo(subject);
  expect((await removeFully(claimWithMachine(claimFor(subject, claimName), machine))).at(-1)).toBe('gone');
  expect(await find(machine.providerId)).toBeUndefined();
  expect(await list()).toEqual([]);
  expect(await late.left()).toBe(0);
};

const checkFailure = async (launching: Launching, expected: Partial<FailedLaunch>): Promise<void> => {
  const { machine, reported } = await launchToItsEnd(launching);
  expect(reported).toMatchObject({ cause: expect.stringMatching(CAMEL_CASE), message: expect.stringMatching(/\S/), ...expected });
  if (reported?.isOutOfStock === true) expect(await isOffered(launching.subject, machine)).toBe(false);
  await checkNothingLeft(launching, machine);
};

/** Has machines fail after they were accepted, and one come in between. */
export const checkLateFailures = async (subject: ProviderUnderTest, late: LateFailuresUnderTest): Promise<void> => {
  const launching = (claimName: string): Launching => ({ subject, late, claimName });
  late.fail();
  await checkFailure(launching('general-failed'), {});
  const good = await launchToItsEnd(launching('general-good'));
  expect(good.reported).toBeUndefined();
  await checkNothingLeft(launching('general-good'), good.machine);
  if (late.runOut === undefined) return;
  late.runOut();
  await checkFailure(launching('general-sold-out'), { isOutOfStock: true });
};
