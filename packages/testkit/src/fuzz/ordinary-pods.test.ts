import { expect, jest, test } from '@jest/globals';
import { aStoryCluster } from '../stories/story-cluster.ts';
import { aStoryPool } from '../stories/story-objects.ts';
import { CASE_LABEL, ordinaryPodsAreServed } from './ordinary-pods.ts';

jest.setTimeout(300_000);

const { spec, ...plain } = aStoryPool();
const { requirements, ...machine } = spec.template.spec;
const general = {
  ...plain,
  spec: { ...spec, template: { spec: { ...machine, requirements: [...requirements, { key: CASE_LABEL, operator: 'Exists' }] } } },
};

/** Comes before the ordinary pool. Nobody removes the taint that its nodes start with, so that no pod is bound to them. */
const barred = {
  ...plain,
  metadata: { name: 'barred' },
  spec: {
    ...spec,
    weight: 100,
    template: { spec: { ...machine, requirements, startupTaints: [{ key: 'barred', effect: 'NoSchedule' }] } },
  },
};

test('ordinary pods beside a sound pool › are served', async () => {
  await using story = await aStoryCluster();
  await story.create(general);
  await expect(ordinaryPodsAreServed(story, 'c1')).resolves.toBeUndefined();
});

test('when a claim of another pool is made for the pod that any pool may serve, and the pod is never bound › it is not served', async () => {
  await using story = await aStoryCluster();
  await story.create(general, barred);
  await expect(ordinaryPodsAreServed(story, 'c1')).rejects.toThrow('still not so that ordinary pods have nodes');
  expect((await story.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']).sort()).toEqual(['barred', 'general']);
});
