import { expect, test } from '@jest/globals';
import { fakeClock } from '../clock/fake-clock.ts';
import { silentLogger } from '../log/logger.ts';
import { controllerAtWork } from './controller-at-work.ts';
import { settled } from './controller.ts';
import { runSingleton } from './singleton-loop.ts';

test('reconciles that run at one time each know whose they are, before and after they waited', async () => {
  const clock = fakeClock();
  const seen: unknown[] = [];
  const run = (name: string, waitMs: number): Promise<void> => {
    const reconcile = async () => {
      const before = controllerAtWork();
      await clock.sleep(waitMs);
      seen.push([name, before, controllerAtWork()]);
      return settled;
    };
    return runSingleton({ name, reconcile }, { clock, logger: silentLogger, onBug: () => undefined }, new AbortController().signal);
  };
  const both = Promise.all([run('pricing', 2000), run('quota', 1000)]);
  await clock.advance(2000);
  await both;
  expect(seen).toEqual([
    ['quota', 'quota', 'quota'],
    ['pricing', 'pricing', 'pricing'],
  ]);
  expect(controllerAtWork()).toBeUndefined();
});
