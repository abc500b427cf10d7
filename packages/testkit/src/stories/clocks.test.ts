import { expect, test } from '@jest/globals';
import type { Clock } from '@karpenter/runtime';
import { aStoppedStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

const HOUR_MS = 3_600_000;

/** A story whose Karpenter runs on a machine with a clock of its own, and how far that is off. */
const aSkewedStory = async (offMs: number) => {
  const story = await aStoppedStoryCluster();
  const machine = { offMs };
  const { clock } = story;
  const machineClock: Clock = {
    now: () => clock.now() + machine.offMs,
    elapsed: () => clock.now(),
    setTimeout: (fire, delayMs) => clock.setTimeout(fire, delayMs),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
  story.machineClock = machineClock;
  await story.create(aStoryPool({ disruption: { consolidateAfter: 'Never', budgets: [] } }), aStoryDeployment(5));
  story.start();
  const isRunning = (pods: number) => async (): Promise<boolean> =>
    (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === pods;
  await story.until('the first pods run', isRunning(5), 60_000);
  // A new process is patient for a minute.
  await story.pass(61_000);
  return { story, machine, isRunning };
};

test.each([
  ['an hour ahead of', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])('when the clock of the controller’s machine is %s the API server’s › pods get nodes as ever', async (_, offMs) => {
  const { story: started, isRunning } = await aSkewedStory(offMs);
  await using story = started;
  await story.scale('inflate', 60);
  await story.until('all pods run', isRunning(60), 60_000);
  expect(story.decisions.filter(({ kind }) => kind === 'claim-disrupted')).toEqual([]);
});

test.each([
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
])('when the clock of the controller’s machine is set %s by an hour › pods get nodes as ever', async (_, offMs) => {
  const { story: started, machine, isRunning } = await aSkewedStory(0);
  await using story = started;
  await story.scale('inflate', 30);
  await story.pass(500);
  machine.offMs = offMs;
  await story.until('all pods run', isRunning(30), 60_000);
  await story.scale('inflate', 60);
  await story.until('more pods run', isRunning(60), 60_000);
  expect(story.decisions.filter(({ kind }) => kind === 'claim-disrupted')).toEqual([]);
});
