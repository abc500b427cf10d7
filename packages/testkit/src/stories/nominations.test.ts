import type { Pod } from '@karpenter/core';
import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(120_000);

const isRunning = ({ status }: Pod): boolean => status?.phase === 'Running';

test('x', async () => {
  for (const podNomination of [false, true]) {
  await using story = await aStoryCluster({ podNomination });
  await story.create(aStoryPool(), aStoryDeployment(5));
  await story.until('five pods run', async () => (await story.pods()).filter(isRunning).length === 5);
  console.log(story.writes.join('\n'), story.decisions.map(d=>d.kind+JSON.stringify(d).slice(0,100)).join('\n'));
  }
});
