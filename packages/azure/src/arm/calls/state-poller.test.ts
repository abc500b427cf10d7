import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ArmError } from '../arm-error.ts';
import { type ProvisioningState, statePoller, type StateSource } from './state-poller.ts';

const PACE = { firstMs: 10_000, everyMs: 5_000 };
const signal = new AbortController().signal;
const isMade = (state: ProvisioningState): boolean => state !== 'Creating';

/** Resources by name, and the number of reads; a list has `pages` pages. */
const aStateSource = (states: Record<string, ProvisioningState>, pages = 1) => {
  const asked = { lists: 0, gets: 0 };
  let failure: ArmError | undefined;
  const source: StateSource = {
    list: () => {
      asked.lists += pages;
      return failure === undefined ? Promise.resolve({ states: new Map(Object.entries(states)), calls: pages }) : Promise.reject(failure);
    },
    get: (name) => {
      asked.gets += 1;
      return failure === undefined ? Promise.resolve(states[name]) : Promise.reject(failure);
    },
  };
  return { source, asked, states, failWith: (error: ArmError | undefined) => (failure = error) };
};

describe('one poller for many resources', () => {
  test('asks nothing before the first can be done, then once a round for all of them', async () => {
    const clock = fakeClock();
    const { source, asked, states } = aStateSource({ a: 'Creating', b: 'Creating', c: 'Creating' });
    const poller = statePoller(source, PACE, clock);
    const made = Promise.all(['a', 'b', 'c'].map((name) => poller.until(name, isMade, signal)));
    await clock.advance(9_999);
    expect(asked).toEqual({ lists: 0, gets: 0 });
    await clock.advance(1);
    expect(asked).toEqual({ lists: 1, gets: 0 });
    Object.assign(states, { a: 'Succeeded', b: 'Failed', c: 'Succeeded' });
    await clock.advance(5_000);
    expect(await made).toEqual(['Succeeded', 'Failed', 'Succeeded']);
    await clock.advance(60_000);
    expect(asked).toEqual({ lists: 2, gets: 0 });
  });

  test('asks for a few themselves where the list has more pages than that', async () => {
    const clock = fakeClock();
    const { source, asked, states } = aStateSource({ a: 'Creating', b: 'Creating' }, 7);
    const poller = statePoller(source, PACE, clock);
    const made = ['a', 'b'].map((name) => poller.until(name, isMade, signal));
    await clock.advance(10_000);
    expect(asked).toEqual({ lists: 7, gets: 0 });
    Object.assign(states, { a: 'Succeeded', b: 'Succeeded' });
    await clock.advance(5_000);
    await Promise.all(made);
    expect(asked).toEqual({ lists: 7, gets: 2 });
  });

  test('takes a resource for gone only after a read by name', async () => {
    const clock = fakeClock();
    const { source, asked } = aStateSource({ a: 'Succeeded' });
    const poller = statePoller(source, PACE, clock);
    const made = Promise.all(['a', 'gone'].map((name) => poller.until(name, isMade, signal)));
    await clock.advance(10_000);
    expect(await made).toEqual(['Succeeded', undefined]);
    expect(asked).toEqual({ lists: 1, gets: 1 });
  });

  test('waits as long as Azure asks, and a failure to read ends nobody', async () => {
    const clock = fakeClock();
    const { source, asked, states, failWith } = aStateSource({ a: 'Creating' });
    const poller = statePoller(source, PACE, clock);
    const made = poller.until('a', isMade, signal);
    failWith(new ArmError('slow down', { code: 'throttled', retryAfterMs: 100_000, cause: undefined }));
    await clock.advance(10_000);
    await clock.advance(99_000);
    expect(asked.gets).toBe(1);
    failWith(undefined);
    Object.assign(states, { a: 'Succeeded' });
    await clock.advance(1_000);
    expect(await made).toBe('Succeeded');
  });

  test('drops callers that abort, and stops polling when none is left', async () => {
    const clock = fakeClock();
    const { source, asked } = aStateSource({ a: 'Creating' });
    const giving = new AbortController();
    const made = statePoller(source, PACE, clock).until('a', isMade, giving.signal);
    giving.abort(new Error('enough'));
    await expect(made).rejects.toThrow('enough');
    await clock.advance(60_000);
    expect(asked).toEqual({ lists: 0, gets: 0 });
  });
});
