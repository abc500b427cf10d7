import type { KubeClient } from '@karpenter/runtime';
import type { FollowedCluster } from '../follow-cluster.ts';
import { milestonesOf } from './milestones.ts';
import type { Ending } from '../../ending.ts';
import type { Screen } from '../screen/screen.ts';
import type { Step, StepResult } from './step.ts';
import { headline } from '../screen/table.ts';

/** What a step needs of the running demo. */
export interface Stage {
  readonly cluster: FollowedCluster;
  readonly screen: Screen;
  /** NodeClaim name → dollars an hour; grows as the controller decides. */
  readonly prices: ReadonlyMap<string, number>;
  readonly ending: Ending;
}

const REFRESH_MS = 250;

const scale = (client: KubeClient, replicas: number): Promise<unknown> =>
  client.patch('Deployment', { namespace: 'default', name: 'inflate' }, { type: 'merge', body: { spec: { replicas } } });

/** Plays one step: scales, then watches until it has come true, its limit has passed, or the demo is ended. */
export const playStep = async (stage: Stage, step: Step): Promise<StepResult> => {
  const { cluster, screen, prices, ending } = stage;
  const startedAtMs = performance.now();
  const milestones = milestonesOf(step, cluster.sight(prices), startedAtMs);
  await ending.orEnd(scale(cluster.client, step.replicas));
  return new Promise((resolve) => {
    const poll = (): void => {
      const sight = cluster.sight(prices);
      const nowMs = performance.now();
      screen.show(sight);
      if (milestones.see(sight, nowMs)) finish();
      else if (ending.signal.aborted) finish(ending.why()?.reason);
      else if (nowMs - startedAtMs > step.limitMs)
        finish(`not true after ${step.limitMs / 1000} s: ${step.expected} (now: ${headline(sight)})`);
    };
    const finish = (failure?: string): void => {
      clearInterval(timer);
      resolve(milestones.result(failure));
    };
    const timer = setInterval(poll, REFRESH_MS);
  });
};

/** Shows how things stand until the demo is ended. */
export const keepWatching = ({ cluster, screen, prices, ending }: Stage): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      screen.show(cluster.sight(prices));
      if (!ending.signal.aborted) return;
      clearInterval(timer);
      resolve();
    }, REFRESH_MS);
  });
