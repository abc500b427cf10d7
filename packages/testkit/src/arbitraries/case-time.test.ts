import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { withinCaseTime, withinCaseTimeAsync } from './mutations.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Has the process compute for so long in each of its runs, one after the other. Returns how many there were. */
const runsOf = (...timesMs: readonly number[]) => {
  let [runs, computedMs] = [0, 0];
  jest.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: computedMs * 1000, system: 0 }));
  const run = (): number => {
    computedMs += timesMs[runs] ?? 0;
    return (runs += 1);
  };
  return run;
};

describe.each([
  { what: 'a case', within: (run: () => number, cases?: number) => Promise.try(() => withinCaseTime(run, cases)) },
  {
    what: 'a case that waits',
    within: (run: () => number, cases?: number) => withinCaseTimeAsync(() => new Promise<void>(setImmediate).then(run), cases),
  },
])('$what', ({ within }) => {
  test('that computes for a second is in time', async () => expect(await within(runsOf(1000))).toBe(1));

  test('that computes for longer in two runs, and not in the third, is in time', async () =>
    expect(await within(runsOf(1001, 5000, 900))).toBe(3));

  test('that computes for longer in each of three runs fails with the times', () =>
    expect(within(runsOf(1001, 1002, 1003))).rejects.toThrow('the case took 1001, 1002, 1003 ms'));

  test('has a second for each of several at once', async () => {
    expect(await within(runsOf(8000), 8)).toBe(1);
    await expect(within(runsOf(8008, 8008, 8008), 8)).rejects.toThrow('the case took 1001, 1001, 1001 ms');
  });
});
