import { describe, expect, test } from '@jest/globals';
import { tokenBucket, TokenLevel } from '../client/transport/token-bucket.ts';
import { createLeaderElector } from '../election/leader-elector.ts';
import { testLeaseStore } from '../election/test-lease-store.ts';
import { createWorkQueue } from '../queue/create-work-queue.ts';
import { fakeClock } from './fake-clock.ts';
import { steadyClock } from './steady-clock.ts';

const HOUR_MS = 3_600_000;

/** A clock of a machine that somebody may set; its timers know nothing of that. */
const machineClock = () => {
  const elapsed = fakeClock();
  let setMs = 0;
  return {
    now: () => elapsed.now() + setMs,
    elapsed: () => elapsed.now(),
    setTimeout: (fire: () => void, delayMs: number) => elapsed.setTimeout(fire, delayMs),
    sleep: (delayMs: number, signal?: AbortSignal) => elapsed.sleep(delayMs, signal),
    advance: (ms: number) => elapsed.advance(ms),
    set: (byMs: number) => void (setMs += byMs),
  };
};

test('a steady clock goes on when the clock is set back, and follows it when it is set forward', async () => {
  const clock = machineClock();
  const steady = steadyClock(clock);
  const startMs = steady.now();
  clock.set(-HOUR_MS);
  expect(steady.now() - startMs).toBe(0);
  await clock.advance(1_000);
  expect(steady.now() - startMs).toBe(1_000);
  clock.set(HOUR_MS);
  expect(steady.now() - startMs).toBe(1_000 + HOUR_MS);
});

describe('when the clock of the machine is set back by an hour', () => {
  test('requests go on at their rate', async () => {
    const clock = machineClock();
    const bucket = tokenBucket(clock, { perSecond: 10, burst: 1 });
    await bucket.take();
    clock.set(-HOUR_MS);
    let passed = 0;
    for (let each = 0; each < 3; each += 1) void bucket.take().then(() => (passed += 1));
    await clock.advance(200);
    expect(passed).toBe(2);
  });

  test('a pause of requests ends when it would have ended', async () => {
    const clock = machineClock();
    const level = new TokenLevel(clock, { perSecond: 10, burst: 1 });
    level.pauseFor(60_000);
    clock.set(-HOUR_MS);
    expect(level.pausedMs).toBe(60_000);
    await clock.advance(60_000);
    expect(level.pausedMs).toBe(0);
  });

  test('keys of a queue are due when they would have been', async () => {
    const clock = machineClock();
    const queue = createWorkQueue({ clock });
    queue.add('later', { afterMs: 10_000 });
    clock.set(-HOUR_MS);
    await clock.advance(10_000);
    expect(queue.depth).toBe(1);
  });

  test('a leader that is cut off ends after its deadline, and another replica takes over once the lease ran out', async () => {
    const clock = machineClock();
    const store = testLeaseStore();
    const start = (identity: string) => {
      const client = store.client();
      const elector = createLeaderElector({ client, clock, identity, lease: { namespace: 'kube-system', name: 'karpenter' } });
      void elector.run(
        new AbortController().signal,
        (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      );
      return { client, elector };
    };
    const first = start('first');
    await clock.advance(5_000);
    const second = start('second');
    await clock.advance(5_000);
    first.client.isCutOff = true;
    clock.set(-HOUR_MS);
    await clock.advance(12_000);
    expect(first.elector.isLeader()).toBe(false);
    await clock.advance(8_000);
    expect([second.elector.isLeader(), store.lease?.spec?.holderIdentity]).toEqual([true, 'second']);
  });
});
