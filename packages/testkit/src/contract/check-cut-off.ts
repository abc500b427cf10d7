import { expect } from '@jest/globals';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/**
 * R35. A provider may answer out of a memory that still has the machine; an answer without it is what core would delete
 * its claim for.
 */
export const checkCutOff = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, find, list, remove } = callsTo(subject);
  const claim = claimFor(subject, 'general-out-of-sight');
  const { providerId } = await launch(claim);
  subject.cutOff();
  const found = find(providerId).then((machine) => (machine === undefined ? [] : [machine]));
  for (const seen of await Promise.allSettled([list(), found])) {
    if (seen.status === 'fulfilled') expect(seen.value.map((machine) => machine.providerId)).toContain(providerId);
  }
  const [removed] = await Promise.allSettled([remove({ ...claim, status: { providerID: providerId } })]);
  expect(removed).not.toEqual({ status: 'fulfilled', value: 'gone' });
};
