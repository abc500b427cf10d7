import { expect } from '@jest/globals';
import { labels } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** Launches claims at once; nothing can satisfy one of them. */
export const checkTogether = async (subject: ProviderUnderTest): Promise<void> => {
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
