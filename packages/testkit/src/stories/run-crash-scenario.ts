import { ClusterObserver } from './cluster-observer.ts';
import { pictureOf, pendingWorkIn } from './cluster-picture.ts';
import type { StoryPicture } from './cluster-picture.ts';
import type { CrashScenario } from './crash-scenarios.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { CrashPoint, StoryCluster } from './story-cluster.ts';

/** The result of a scenario. */
export interface CrashScenarioResult {
  /** The names of Karpenter's writes until all was done, in order. */
  readonly writes: readonly string[];
  readonly disturbedPods: number;
  readonly claimsMade: number;
  /** What was wrong, at any time or in the end: a sentence each. */
  readonly faults: readonly string[];
}

const LONGEST_MS = 20 * 60_000;
/** A round of disruption, its fifteen seconds, and some time to act. */
const QUIET_MS = 30_000;

const remaining = (scenario: CrashScenario, now: StoryPicture, before: StoryPicture): readonly string[] => [
  ...(scenario.isDone(now, before) ? [] : ['the scenario did not reach its goal']),
  ...pendingWorkIn(now),
];

const settle = async (story: StoryCluster, isSettled: () => Promise<boolean>): Promise<void> => {
  for (let left = LONGEST_MS; left > 0 && !(await isSettled()); left -= 1000) await story.pass(1000);
};

/** Runs a scenario, with a crash at `point` if there is one, and checks that it ends well and stays so. */
export const runCrashScenario = async (scenario: CrashScenario, point?: CrashPoint): Promise<CrashScenarioResult> => {
  await using story = await aStoryCluster(scenario.options, [], scenario.instanceTypes);
  await scenario.prepare(story);
  await settle(story, async () => pendingWorkIn(await pictureOf(story)).length === 0);
  const before = await pictureOf(story);
  using observer = new ClusterObserver(story, { leastRunning: scenario.leastRunning });
  const first = story.writes.length;
  if (point !== undefined) story.dieAt(point);
  await scenario.begin(story);
  const left = async (): Promise<readonly string[]> => remaining(scenario, await pictureOf(story), before);
  await settle(story, async () => !story.isCrashPending && (await left()).length === 0);
  const writes = story.writes.slice(first);
  await story.pass(QUIET_MS);
  const faults = [...observer.violations, ...(await left()), ...(story.isCrashPending ? ['the crash point was not reached'] : [])];
  return { writes, disturbedPods: observer.disturbed.size, claimsMade: observer.made.size, faults };
};
