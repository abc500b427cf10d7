import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { LaunchBackoff } from './launch-backoff.ts';
import type { LaunchStep } from './launch-backoff.ts';

const aScene = () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const backoff = new LaunchBackoff(clock);
  /** A claim is asked for and given up five minutes later. */
  const fail = async (cause = 'LaunchFailed', step: LaunchStep = 'launched'): Promise<void> => {
    const bornMs = clock.now();
    await clock.advance(300_000);
    backoff.failed('general', { step, cause, message: 'no', bornMs });
  };
  const heldForMs = async (): Promise<number> => {
    let ms = 0;
    for (; backoff.isHeld('general'); ms += 60_000) await clock.advance(60_000);
    return ms;
  };
  return { clock, backoff, fail, heldForMs };
};

describe('a pool whose launches fail', () => {
  test('tries again at once the first time, then after 1, 5 and 15 minutes', async () => {
    const { fail, heldForMs } = aScene();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      await fail();
      waits.push((await heldForMs()) / 60_000);
    }
    expect(waits).toEqual([0, 1, 5, 15, 15]);
  });

  test('counts many claims of one time as one failure', () => {
    const { backoff, clock } = aScene();
    const bornMs = clock.now() - 1;
    for (let i = 0; i < 10; i++) backoff.failed('general', { step: 'launched', cause: 'LaunchFailed', message: 'no', bornMs });
    expect(backoff.failingOf('general')).toBeUndefined();
  });

  test('is held back by cause: two causes that came once each are no row', async () => {
    const { backoff, fail } = aScene();
    await fail('LaunchFailed');
    await fail('NodeClassNotReady');
    expect(backoff.isHeld('general')).toBe(false);
    await fail('NodeClassNotReady');
    expect(backoff.failingOf('general')).toMatchObject({ cause: 'NodeClassNotReady', times: 2 });
  });

  test('holds back no other pool', async () => {
    const { backoff, fail } = aScene();
    await fail();
    await fail();
    expect(backoff.isHeld('general')).toBe(true);
    expect(backoff.isHeld('other')).toBe(false);
  });

  test('begins anew when one succeeds, or the pool is changed', async () => {
    const { backoff, fail } = aScene();
    await fail();
    backoff.succeeded('general', 'launched');
    await fail();
    expect(backoff.isHeld('general')).toBe(false);
    await fail();
    backoff.forget('general');
    expect(backoff.isHeld('general')).toBe(false);
  });

  test.each<[LaunchStep, LaunchStep, boolean]>([
    ['launched', 'launched', false],
    ['launched', 'registered', false],
    ['registered', 'launched', true],
    ['initialized', 'registered', true],
    ['initialized', 'initialized', false],
  ])('because none is %s: one that is %s leaves it held back: %s', async (missing, reached, expected) => {
    const { backoff, fail } = aScene();
    await fail('Cause', missing);
    backoff.succeeded('general', reached);
    await fail('Cause', missing);
    expect(backoff.isHeld('general')).toBe(expected);
  });
});
