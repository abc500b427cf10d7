import fc from 'fast-check';
import { ClusterObserver } from './cluster-observer.ts';
import { pictureOf, pendingWorkIn } from './cluster-picture.ts';
import { DistortedView } from './distorted-view.ts';
import { aStoryCluster } from './story-cluster.ts';
import { TroubledProvider } from './troubled-provider.ts';
import type { ViewScenario } from './view-scenarios.ts';
import { beginTrouble, LAST_TROUBLE_S } from './view-troubles.ts';
import type { Trouble, Troubled } from './view-troubles.ts';

/** The troubles of a run, and the seed of its randomness. */
export interface TroubledRun {
  readonly plan: readonly Trouble[];
  readonly seed: number;
}

/** After the last trouble has ended. */
const LONGEST_S = 3600;
/** How long nothing may change before the run ends: several passes of disruption, and the fifteen seconds of validation. */
const QUIET_S = 60;

const chance = (seed: number): (() => number) => {
  const drawn = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { seed, numRuns: 2000 });
  let next = 0;
  return () => drawn[next++ % drawn.length] ?? 0;
};

const aTroubledStory = async ({ options }: ViewScenario, seed: number): Promise<Troubled> => {
  const story = await aStoryCluster(options);
  const making = { clock: story.clock, random: chance(seed) };
  const [view, cloud] = [new DistortedView(making), new TroubledProvider(making)];
  story.interceptors = { kube: (kube) => view.of(kube), cloud: (provider) => cloud.of(provider) };
  story.restart();
  return { story, view, cloud };
};

/** The troubles, while users act. */
const live = async (troubled: Troubled, { userActions }: ViewScenario, plan: readonly Trouble[]): Promise<void> => {
  const { story } = troubled;
  using lasting = new DisposableStack();
  const end = Math.max(LAST_TROUBLE_S, ...plan.map(({ atS, forS }) => atS + forS));
  for (let second = 0; second <= end; second += 1) {
    userActions[second]?.(story);
    for (const trouble of plan) {
      if (trouble.atS !== second) continue;
      const begun = lasting.use(beginTrouble(trouble, troubled));
      story.clock.setTimeout(() => begun[Symbol.dispose](), trouble.forS * 1000);
    }
    await story.pass(1000);
  }
};

/** Runs a scenario in which what Karpenter sees is distorted. Returns what was wrong, at any time or in the end. */
export const runViewScenario = async (scenario: ViewScenario, { plan, seed }: TroubledRun): Promise<readonly string[]> => {
  const troubled = await aTroubledStory(scenario, seed);
  await using story = troubled.story;
  await scenario.prepare(story);
  using observer = new ClusterObserver(story, scenario.guarantees);
  await live(troubled, scenario, plan);
  const left = async (): Promise<readonly string[]> => {
    const picture = await pictureOf(story);
    const { podsInTheEnd, nodesInTheEnd = picture.nodes.length } = scenario;
    const counts = [
      ...(picture.pods.length === podsInTheEnd ? [] : [`there are ${picture.pods.length} pods`]),
      ...(picture.nodes.length === nodesInTheEnd ? [] : [`there are ${picture.nodes.length} nodes`]),
    ];
    return [...pendingWorkIn(picture), ...counts];
  };
  let quietS = 0;
  for (let second = 0; second < LONGEST_S && quietS < QUIET_S; second += 1) {
    await story.pass(1000);
    quietS = (await left()).length === 0 ? quietS + 1 : 0;
  }
  return [...observer.violations, ...(await left())];
};
