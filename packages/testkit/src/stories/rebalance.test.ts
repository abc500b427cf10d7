import { describe, expect, jest, test } from '@jest/globals';
import type { RebalancePlan } from '@karpenter/core/internal';
import { isGoing, isRunning } from './cluster-picture.ts';
import { aRebalancePlan, fillSmallNodes, smallAndLarge } from './rebalance-objects.ts';
import { aStoryBudget } from './story-objects.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';

jest.setTimeout(300_000);

const A_MINUTE_MS = 60_000;

const statusOf = async (story: StoryCluster, name = 'now'): Promise<NonNullable<RebalancePlan['status']>> =>
  (await story.kube.get<RebalancePlan>('RebalancePlan', { name }))?.status ?? {};

const change = (story: StoryCluster, spec: RebalancePlan['spec']): Promise<unknown> =>
  story.kube.patch('RebalancePlan', { name: 'now' }, { type: 'merge', body: { spec } });

const settledPodCount = async (story: StoryCluster): Promise<number> => (await story.pods()).filter(isRunning).length;

const sizesText = async (story: StoryCluster): Promise<string> =>
  (await story.nodes())
    .map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'] ?? '')
    .sort()
    .join(' ');

/** Karpenter on four small nodes full of pods. */
const fourSmallNodes = async (): Promise<StoryCluster> => {
  const story = await aStoryCluster({ batchIdleMs: 500 }, [], smallAndLarge);
  await fillSmallNodes(story);
  return story;
};

const untilPhase = (story: StoryCluster, phase: string, name?: string): Promise<void> =>
  story.until(`the plan is ${phase}`, async () => (await statusOf(story, name)).phase === phase, 2_400_000);

const untilWaves = (story: StoryCluster, count: number): Promise<void> =>
  story.until(`${count} waves are through`, async () => ((await statusOf(story)).waves ?? 0) >= count, 2_400_000);

describe('a RebalancePlan', () => {
  test('when no single step saves anything › waves get there, within the budget of the pool and the PodDisruptionBudget', async () => {
    await using story = await fourSmallNodes();
    await story.pass(A_MINUTE_MS);
    expect(await sizesText(story)).toBe('small small small small');
    await story.create(aStoryBudget({ maxUnavailable: 1 }), aRebalancePlan());
    let [mostGoing, fewestRunning] = [0, 12];
    await story.until(
      'the plan is complete',
      async () => {
        mostGoing = Math.max(mostGoing, (await story.claims()).filter(isGoing).length);
        fewestRunning = Math.min(fewestRunning, await settledPodCount(story));
        return (await statusOf(story)).phase === 'Completed';
      },
      2_400_000,
    );
    expect(await sizesText(story)).toBe('large');
    expect(await statusOf(story)).toMatchObject({ waves: 4, nodes: 4, pods: 12, savingsPerHour: '1.1000' });
    expect([mostGoing, fewestRunning]).toEqual([1, 11]);
    expect((await statusOf(story)).wave).toBeUndefined();
  });

  test('when it is paused › no further wave starts, also after a restart; resumed, it goes on; cancelled, it ends', async () => {
    await using story = await fourSmallNodes();
    await story.create(aRebalancePlan());
    await untilWaves(story, 1);
    await change(story, { paused: true });
    await untilPhase(story, 'Paused');
    const { nodes } = await statusOf(story);
    story.restart();
    await story.pass(A_MINUTE_MS);
    expect(await statusOf(story)).toMatchObject({ phase: 'Paused', nodes });
    await change(story, { paused: false });
    await untilWaves(story, (nodes ?? 0) + 1);
    await change(story, { cancelled: true });
    await untilPhase(story, 'Cancelled');
    expect((await statusOf(story)).waves).toBeLessThan(4);
  });

  test('when it is deleted while the machine of a wave comes › the wave is taken back, and all nodes stay', async () => {
    await using story = await fourSmallNodes();
    await story.create(aRebalancePlan());
    await story.until('a machine comes', async () => (await story.claims()).length === 5);
    await story.kube.delete('RebalancePlan', { name: 'now' });
    await story.pass(A_MINUTE_MS);
    expect(await sizesText(story)).toBe('small small small small');
  });

  test('when its target is reached or its moves are used up › it ends there, and the next plan has its turn', async () => {
    await using story = await fourSmallNodes();
    await story.create(aRebalancePlan({ targetSavingsPerHour: '0.1' }), aRebalancePlan({ maxMoves: 3 }, 'then'));
    await untilPhase(story, 'Completed');
    expect((await statusOf(story)).conditions).toContainEqual(expect.objectContaining({ type: 'Complete', reason: 'TargetReached' }));
    expect((await statusOf(story)).waves).toBe(2);
    await untilPhase(story, 'Completed', 'then');
    expect(await statusOf(story, 'then')).toMatchObject({ nodes: 1, pods: 3 });
  });

  test('when a limit of the pool has no room for the machine › nothing exceeds it, and the plan says so', async () => {
    await using story = await fourSmallNodes();
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { limits: { cpu: '17' } } } });
    await story.create(aRebalancePlan());
    await story.until('the plan waits', async () => (await statusOf(story)).message?.includes('4 limit') === true);
    expect(await sizesText(story)).toBe('small small small small');
  });
});
