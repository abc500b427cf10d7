import { expect } from '@jest/globals';
import { labels } from '@karpenter/core';
import type { NodeAdditions } from '@karpenter/core/internal';
import { callsTo } from './provider-calls.ts';
import { claimFor, claimWithMachine } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

const CAMEL_CASE = /^[A-Z][A-Za-z0-9]*$/;
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
/** Core's own: a node that carries them is taken for one that is ready. */
const CORES_OWN: readonly string[] = [labels.registered, labels.initialized, labels.nodePool];

const checkAdditions = ({ labels: added = {}, annotations = {}, taints = [] }: NodeAdditions): void => {
  expect(Object.keys(added).filter((label) => CORES_OWN.includes(label))).toEqual([]);
  for (const value of [...Object.values(added), ...Object.values(annotations)]) expect(typeof value).toBe('string');
  for (const { effect } of taints) expect(EFFECTS).toContain(effect);
};

/** More calls than any hook needs. */
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
  const known = claimWithMachine(claim, machine);
  await subject.join?.(known);
  let pending = names;
  for (let round = 0; round < MOST_ROUNDS && pending.length > 0; round++) {
    const answers = await Promise.all(
      hooks.map(async (hook) => ({ name: hook.name, ...(await subject.run(() => hook.check(known, { signal }))) })),
    );
    for (const answer of answers) {
      expect(['satisfied', 'waiting']).toContain(answer.kind);
      if (answer.kind === 'satisfied') checkAdditions(answer.adds ?? {});
    }
    pending = answers.filter(({ kind }) => kind === 'waiting').map(({ name }) => name);
  }
  expect(pending).toEqual([]);
};
