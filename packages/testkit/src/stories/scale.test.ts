import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);

describe('a deployment that grows and shrinks', () => {
  test('gets nodes that fit, runs, and leaves nothing behind', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await story.pods()).filter(isInPhaseRunning).length === 5);
    const nodes = await story.nodes();
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.every(({ metadata }) => metadata.labels?.['karpenter.sh/initialized'] === 'true')).toBe(true);
    expect(await story.claims()).toHaveLength(nodes.length);

    await story.scale('inflate', 0);
    await story.until('no node is left', async () => (await story.nodes()).length === 0);
    await story.until('no claim is left', async () => (await story.claims()).length === 0);
    expect(await story.cloud.list({ signal: AbortSignal.timeout(1000) })).toHaveLength(0);
  });
});
