import { expect, jest, test } from '@jest/globals';
import { aDeployment, aNodeClass, aPool } from '../clusters/objects.ts';
import { startStory } from './story.ts';

jest.setTimeout(120_000);

const kept = (): readonly string[] => (globalThis as { readonly loggedByTest?: readonly string[] }).loggedByTest ?? [];

test('metrics and events of a story are searched for secrets, as its log is', async () => {
  {
    await using story = await startStory(aNodeClass, aPool(), aDeployment({ replicas: 1 }));
    await story.until('the pod has a node', () => story.census().running === 1);
  }
  expect(kept()).toContainEqual(expect.stringMatching(/^karpenter_nodeclaims_created_total\{.*} 1$/));
  expect(kept()).toContainEqual(expect.stringMatching(/"kind":"Event".*Pod should schedule on/));
});
