import { expect, test } from '@jest/globals';
import { inSlices } from './in-slices.ts';

const notAborted = new AbortController().signal;

/** A clock on which each step of `work` takes as long as it says. */
const workOn = (stepsMs: readonly number[], log: string[] = []) => {
  let nowMs = 1000;
  function* work(): Generator<undefined, string, undefined> {
    try {
      for (const [index, ms] of stepsMs.entries()) {
        nowMs += ms;
        log.push(`step ${index}`);
        yield;
      }
      return 'done';
    } finally {
      log.push('cleaned up');
    }
  }
  return { clock: { now: () => nowMs }, work: work(), log };
};

/** Notes each turn that the event loop has until it is stopped. */
const loggingTurns = (log: string[]) => {
  let next: NodeJS.Immediate;
  const turn = (): void => {
    log.push('others');
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return { [Symbol.dispose]: () => clearImmediate(next) };
};

test('steps run together until a slice is over; then others have a turn', async () => {
  const { clock, work, log } = workOn([4, 4, 4, 25, 1]);
  using _turns = loggingTurns(log);
  expect(await inSlices(work, { clock, sliceMs: 10, signal: notAborted })).toBe('done');
  expect(log).toEqual(['step 0', 'step 1', 'step 2', 'others', 'step 3', 'others', 'step 4', 'cleaned up']);
});

test('a clock that is set back ends the slice', async () => {
  const { clock, work, log } = workOn([1, -3_600_000, 1]);
  using _turns = loggingTurns(log);
  await inSlices(work, { clock, sliceMs: 10, signal: notAborted });
  expect(log).toEqual(['step 0', 'step 1', 'others', 'step 2', 'cleaned up']);
});

test('work that is aborted cleans up, and the reason is thrown', async () => {
  const { clock, work, log } = workOn([20, 20, 20]);
  const controller = new AbortController();
  const result = inSlices(work, { clock, sliceMs: 10, signal: controller.signal });
  controller.abort(new Error('no longer the leader'));
  await expect(result).rejects.toThrow('no longer the leader');
  expect(log).toEqual(['step 0', 'cleaned up']);
});

test('what the work throws comes out', async () => {
  function* failing(): Generator<undefined, never, undefined> {
    yield;
    throw new Error('a bug');
  }
  await expect(inSlices(failing(), { clock: { now: () => 0 }, sliceMs: 10, signal: notAborted })).rejects.toThrow('a bug');
});
