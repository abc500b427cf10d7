import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const MINUTE = 60_000;
const { signal } = new AbortController();

const fivePodsRun = async (story: StoryCluster): Promise<boolean> =>
  (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === 5;

describe('when no controller was there for long', () => {
  test('nodes that have joined meanwhile are registered, though late', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a claim is launched', async () => (await story.claims()).some(({ status }) => status?.providerID !== undefined));
    await story.kill();
    await story.pass(20 * MINUTE);
    const before = (await story.cloud.list({ signal })).map(({ providerId }) => providerId);
    story.start();
    await story.until('five pods run', () => fivePodsRun(story), 30 * MINUTE);
    expect((await story.cloud.list({ signal })).map(({ providerId }) => providerId)).toEqual(before);
    expect(story.decisions.filter(({ kind }) => kind === 'claim-disrupted')).toEqual([]);
  });

  test('a claim that was written down is launched, though late', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add({ fault: { kind: 'slow', byMs: 60 * MINUTE }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a claim is there', async () => (await story.claims()).length === 1);
    await story.kill();
    const [claim] = await story.claims();
    await story.pass(6 * MINUTE);
    story.start();
    await story.until('five pods run', () => fivePodsRun(story), 30 * MINUTE);
    expect((await story.claims()).map(({ metadata }) => metadata.name)).toEqual([claim?.metadata.name]);
  });
});
