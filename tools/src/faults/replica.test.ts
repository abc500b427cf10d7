import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Replica, watchReplicas } from './replica.ts';

const line = (message: string): string => JSON.stringify({ level: 'error', message });

/** What the watch says of a process that prints the lines and ends so. */
const faultsOf = async (lines: readonly string[], end: string): Promise<readonly string[]> => {
  const script = `${lines.map((each) => `console.log(${JSON.stringify(each)});`).join('')} ${end}`;
  const logPath = join(mkdtempSync(join(tmpdir(), 'replica-')), 'log');
  await using replica = new Replica({ name: 'a', command: [process.execPath, '-e', script], env: {}, logPath });
  const faults = watchReplicas([replica]);
  while (replica.ends === 0) await pause(10);
  return faults();
};

describe('a replica that ends by itself', () => {
  const failing = 'process.exitCode = 1;';

  test.each([
    { when: 'after it lost its lease', lines: [line('started'), line('lost leadership')], end: failing, faults: [] },
    { when: 'before it has started, with a reason', lines: ['karpenter: no answer'], end: failing, faults: [] },
    {
      ...{ when: 'before it has started, without a reason', lines: ['TypeError: x'], end: failing },
      faults: ['replica a ended by itself with code 1'],
    },
    {
      when: 'for a reason that it does not give',
      lines: [line('started')],
      end: failing,
      faults: ['replica a ended by itself with code 1'],
    },
    { when: 'as after a request', lines: [line('started')], end: '', faults: ['replica a ended by itself with code 0'] },
    {
      ...{ when: 'by a signal', lines: [line('lost leadership')], end: 'process.abort();' },
      faults: ['replica a ended by itself with SIGABRT'],
    },
  ])('$when', async ({ lines, end, faults }) => {
    expect(await faultsOf(lines, end)).toEqual(faults);
  });
});

test.each([
  'reconcile has a bug; it is retried',
  'left out of planning because it triggers a bug',
  'a report failed',
  'a cache listener threw',
])('a bug that a replica contained is found in its log: %s', async (message) => {
  const bug = line(message);
  expect(await faultsOf([bug, line('lost leadership')], 'process.exitCode = 1;')).toEqual([`replica a met a bug: ${bug}`]);
});
