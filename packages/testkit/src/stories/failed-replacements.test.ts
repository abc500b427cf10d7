import { describe, expect, jest, test } from '@jest/globals';
import { ClusterObserver } from './cluster-observer.ts';
import { isRunning } from './cluster-picture.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

/** A node of sixteen cores, all that its pool may have, with two pods left on it: it is about to give way to a smaller one. */
const aNodeTooLarge = async (story: StoryCluster): Promise<void> => {
  await story.create(aStoryPool({ limits: { cpu: '16' } }), aStoryDeployment(12));
  await story.until('twelve pods run', async () => (await story.pods()).filter(isRunning).length === 12);
  await story.scale('inflate', 2);
  await story.until('two are left', async () => (await story.pods()).length === 2);
  story.decisions.length = 0;
};

const hasDecided = (story: StoryCluster, kind: string): boolean => story.decisions.some((decision) => decision.kind === kind);

const madeForPods = ({ decisions }: StoryCluster) =>
  decisions.filter((decision) => decision.kind === 'node-claim-created' && decision.reason === 'provisioned');

const theReplacement = async (story: StoryCluster): Promise<string | undefined> =>
  (await story.claims()).find(({ metadata }) => metadata.annotations?.['karpenter.sh/replaces'] !== undefined)?.metadata.name;

describe('a replacement that comes to nothing buys no machine for pods that stay where they are, and passes no limit', () => {
  test.each([
    ['a person deletes it at once', 100],
    ['a person deletes it after most of a second', 700],
    ['a person deletes it when its machine is on its way', 5_000],
  ])('when %s', async (_, afterMs) => {
    await using story = await aStoryCluster();
    using observer = new ClusterObserver(story);
    await aNodeTooLarge(story);
    await story.until('a replacement was requested', () => hasDecided(story, 'command-started'));
    await story.pass(afterMs);
    await story.kube.delete('NodeClaim', { name: (await theReplacement(story)) ?? '' });
    await story.pass(8_000);
    expect([hasDecided(story, 'command-abandoned'), madeForPods(story), [...observer.violations]]).toEqual([true, [], []]);
  });

  test.each([
    ['the cloud has none to sell', 'insufficient-capacity'],
    ['its machine never becomes a node', 'lost'],
  ] as const)('when %s', async (_, kind) => {
    await using story = await aStoryCluster();
    using observer = new ClusterObserver(story);
    await aNodeTooLarge(story);
    story.cloud.faults.add({ fault: { kind }, times: 1 });
    await story.until('the command is called off', () => hasDecided(story, 'command-abandoned'), 1_800_000);
    await story.pass(60_000);
    expect([madeForPods(story), [...observer.violations]]).toEqual([[], []]);
  });
});
