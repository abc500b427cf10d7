import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { LaunchBackoff } from './launch-backoff.ts';
import type { LaunchStep, MissedStep } from './launch-backoff.ts';

const aLaunchBackoff = () => {
  const clock = fakeClock(Date.UTC(2026, 0, 1));
  const backoff = new LaunchBackoff(clock);
  let number = 0;
  const ask = (): string => {
    const claimName = `general-${(number += 1)}`;
    backoff.asked(claimName);
    return claimName;
  };
  const abandon = (claimName: string, cause = 'LaunchFailed', step: MissedStep = 'launched'): void =>
    backoff.failed('general', { claimName, step, cause, message: 'no' });
  /** A claim is requested and deleted five minutes later. */
  const fail = async (cause?: string, step?: MissedStep): Promise<void> => {
    const claimName = ask();
    await clock.advance(300_000);
    abandon(claimName, cause, step);
  };
  const heldForMs = async (): Promise<number> => {
    let ms = 0;
    for (; backoff.isHeld('general'); ms += 60_000) await clock.advance(60_000);
    return ms;
  };
  return { clock, backoff, ask, abandon, fail, heldForMs };
};

describe('a pool whose launches fail', () => {
  test('tries again at once the first time, then after 1, 5 and 15 minutes', async () => {
    const { fail, heldForMs } = aLaunchBackoff();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      await fail();
      waits.push((await heldForMs()) / 60_000);
    }
    expect(waits).toEqual([0, 1, 5, 15, 15]);
  });

  test('whose claims admission denies tries again after two minutes at most: nothing shows when a policy is gone', async () => {
    const { backoff, ask, clock, heldForMs } = aLaunchBackoff();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      backoff.failed('general', { claimName: ask(), step: 'launched', cause: 'NodeClaimRefused', message: 'no', isDenied: true });
      waits.push((await heldForMs()) / 60_000);
      await clock.advance(1);
    }
    expect(waits).toEqual([0, 1, 2, 2, 2]);
  });

  test('counts claims that were requested together once, and one that is requested after the first was refused again, all at one moment', () => {
    const { backoff, ask, abandon } = aLaunchBackoff();
    for (const claimName of Array.from({ length: 10 }, ask)) abandon(claimName);
    expect(backoff.failingOf('general')).toBeUndefined();
    abandon(ask());
    expect(backoff.failingOf('general')).toMatchObject({ times: 2 });
  });

  test('counts a claim from its first request', () => {
    const { backoff, ask, abandon } = aLaunchBackoff();
    const [first, second] = [ask(), ask()];
    abandon(first);
    backoff.asked(second);
    abandon(second);
    expect(backoff.failingOf('general')).toBeUndefined();
  });

  test('counts all claims of an earlier process as asked for together', () => {
    const { backoff, abandon } = aLaunchBackoff();
    for (const claimName of ['old-1', 'old-2']) abandon(claimName);
    expect(backoff.failingOf('general')).toBeUndefined();
  });

  test('is in backoff by cause: two causes that came once each are no row', async () => {
    const { backoff, fail } = aLaunchBackoff();
    await fail('LaunchFailed');
    await fail('NodeClassNotReady');
    expect(backoff.isHeld('general')).toBe(false);
    await fail('NodeClassNotReady');
    expect(backoff.failingOf('general')).toMatchObject({ cause: 'NodeClassNotReady', times: 2 });
  });

  test('delays no other pool', async () => {
    const { backoff, fail } = aLaunchBackoff();
    await fail();
    await fail();
    expect(backoff.isHeld('general')).toBe(true);
    expect(backoff.isHeld('other')).toBe(false);
  });

  test('starts from zero when one succeeds, or the pool is changed', async () => {
    const { backoff, fail } = aLaunchBackoff();
    await fail();
    backoff.succeeded('general', 'launched');
    await fail();
    expect(backoff.isHeld('general')).toBe(false);
    await fail();
    backoff.forget('general');
    expect(backoff.isHeld('general')).toBe(false);
  });

  test.each<[MissedStep, LaunchStep, boolean]>([
    ['launched', 'launched', false],
    ['launched', 'registered', false],
    ['registered', 'launched', true],
    ['initialized', 'registered', true],
    ['initialized', 'initialized', false],
    ['kept', 'initialized', true],
  ])('because none is %s: one that is %s leaves it in backoff: %s', async (missing, reached, expected) => {
    const { backoff, fail } = aLaunchBackoff();
    await fail('Cause', missing);
    backoff.succeeded('general', reached);
    await fail('Cause', missing);
    expect(backoff.isHeld('general')).toBe(expected);
  });

  test('because some node came and others did not stay is in backoff until one stays', async () => {
    const { backoff, fail } = aLaunchBackoff();
    await fail('Cause', 'kept');
    await fail('Cause', 'registered');
    backoff.succeeded('general', 'initialized');
    expect(backoff.isHeld('general')).toBe(true);
  });

  test('because nodes do not stay starts from zero when none has failed for an hour', async () => {
    const { backoff, clock, fail } = aLaunchBackoff();
    await fail('Cause', 'kept');
    await fail('Cause', 'kept');
    expect(backoff.failingOf('general')).toMatchObject({ times: 2, endsMs: clock.now() + 3_600_000 });
    await clock.advance(3_600_000);
    expect(backoff.failingOf('general')).toBeUndefined();
    await fail('Cause', 'kept');
    expect(backoff.isHeld('general')).toBe(false);
  });
});

describe('a pool whose last launch failed', () => {
  test('is passed over from the first failure on, until a launch succeeds', async () => {
    const { backoff, fail, ask } = aLaunchBackoff();
    await fail();
    expect([backoff.isAvoided('general'), backoff.isHeld('general')]).toEqual([true, false]);
    ask();
    backoff.succeeded('general', 'launched');
    expect(backoff.isAvoided('general')).toBe(false);
  });

  test('is tried like the others again after five minutes', async () => {
    const { backoff, clock } = aLaunchBackoff();
    backoff.troubled('general');
    await clock.advance(299_999);
    expect(backoff.isAvoided('general')).toBe(true);
    await clock.advance(1);
    expect(backoff.isAvoided('general')).toBe(false);
  });

  test('is tried like the others again once it was changed', () => {
    const { backoff } = aLaunchBackoff();
    backoff.troubled('general');
    backoff.forget('general');
    expect(backoff.isAvoided('general')).toBe(false);
  });
});
