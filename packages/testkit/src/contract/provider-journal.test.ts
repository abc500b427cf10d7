import { expect, test } from '@jest/globals';
import { aNodePool, assortedInstanceTypes } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { callsTo } from './provider-calls.ts';
import { providerJournal } from './provider-journal.ts';
import { claimFor } from './provider-under-test.ts';
import { withCalls } from './rule-book.ts';

const startProvider = () => {
  const provider = new FakeCloudProvider({ instanceTypes: assortedInstanceTypes(8) });
  return Promise.resolve({
    provider,
    nodePool: aNodePool(),
    run: <T>(call: () => Promise<T>) => call(),
    cutOff: () => void (provider.isCutOff = true),
    launchCalls: () => 0,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
};

test('a failed check names each object that the provider was called with, and the answer or the error', async () => {
  const journal = providerJournal(startProvider);
  await using subject = await journal.start();
  const { launch, list, find, types } = callsTo(subject);
  await launch(claimFor(subject, 'general-one'));
  await find('fake:///nobody');
  await types();
  subject.cutOff();
  await expect(list()).rejects.toThrow();
  const failure = new Error('expected "gone"');
  expect(withCalls(failure, journal)).toBe(failure);
  expect(failure.message.split('\n')).toEqual([
    'expected "gone"',
    '',
    'Calls of the provider, and its answers:',
    '  create NodeClaim general-one: machine fake:///general-one',
    '  get fake:///nobody: undefined',
    '  getInstanceTypes NodePool default: [fake-it-0, fake-it-1, fake-it-2, fake-it-3, fake-it-4, fake-it-5, and 2 more]',
    '  list: CloudProviderError: made to give no answer',
  ]);
  expect(failure.stack?.split(failure.message)).toHaveLength(2);
});

test('the next check begins with no calls', async () => {
  const journal = providerJournal(startProvider);
  await using first = await journal.start();
  await callsTo(first).list();
  await using second = await journal.start();
  expect(journal.lines()).toEqual([]);
  await callsTo(second).list();
  expect(journal.lines()).toEqual(['list: []']);
});
