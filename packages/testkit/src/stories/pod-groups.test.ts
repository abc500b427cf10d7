import { expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(120_000);

const A_MINUTE_MS = 60_000;

/** Pods of ten cores each that need three places together. */
const aGroup = (replicas: number) => {
  const { spec, ...rest } = aStoryDeployment(replicas);
  const metadata = {
    labels: { app: 'train', 'scheduling.x-k8s.io/pod-group': 'train' },
    annotations: { 'karpenter.sh/pod-group-min-member': '3' },
  };
  const pod = { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '10' } } }] };
  const selector = { matchLabels: { app: 'train' } };
  return { ...rest, metadata: { name: 'train', namespace: 'default' }, spec: { ...spec, selector, template: { metadata, spec: pod } } };
};

const running = async (story: StoryCluster): Promise<number> =>
  (await story.pods()).filter(({ status }) => status?.phase === 'Running').length;

test('two pods of a group of three › get no node; with the third, all three run', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool(), aGroup(2));
  await story.pass(A_MINUTE_MS);
  expect([await story.claims(), await running(story)]).toEqual([[], 0]);
  await story.scale('train', 3);
  await story.until('three pods run', async () => (await running(story)) === 3);
});

test('a group that the limit of its pool leaves no room for › gets no node, and an ordinary pod does', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool({ limits: { cpu: '24' } }), aGroup(3), aStoryDeployment(1));
  await story.pass(A_MINUTE_MS);
  const nodes = (await story.nodes()).map(({ status }) => Number(status?.capacity?.['cpu']));
  expect([await running(story), nodes.length, (nodes[0] ?? 99) < 10]).toEqual([1, 1, true]);
});
