import { expect } from '@jest/globals';
import { labels } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor, launched } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;

/** More often than any hook needs to be asked. */
const MOST_ROUNDS = 200;

/** Launches a machine and asks the hooks until none holds its node back. */
export const checkRegistration = async (subject: ProviderUnderTest): Promise<void> => {
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
