import { expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const A_MINUTE_MS = 60_000;

/** Why pods have no place, in the order in which that was reported. */
const limitsNamed = ({ decisions }: StoryCluster): readonly unknown[] =>
  decisions.flatMap((decision) =>
    decision.kind === 'plan-computed'
      ? decision.plan.rejections.flatMap(({ reason }) => (reason.kind === 'no-place' ? reason.pools.map((pool) => pool.reason) : []))
      : [],
  );

test('when the cluster is limited to three nodes › a static pool and a dynamic one have three together, and the pod beyond says why', async () => {
  await using story = await aStoryCluster({ staticCapacity: true, clusterLimits: { nodes: 3 } });
  await story.create({ ...aStoryPool({ replicas: 2, template: tainted() }), metadata: { name: 'static' } });
  await story.until('the static pool has two nodes', async () => (await story.nodes()).length === 2);
  await story.create(aStoryPool());
  await story.create(aStoryDeployment(4), lonely());
  await story.until('four pods run', async () => (await runningPodCount(story)) >= 4);
  await story.pass(A_MINUTE_MS);
  expect(await story.nodes()).toHaveLength(3);
  expect(limitsNamed(story)).toContainEqual(
    expect.objectContaining({ kind: 'limit', of: 'cluster', resource: 'nodes', limit: 3, used: 3 }),
  );
});

/** A template whose nodes take no pods of the story. */
const tainted = () => {
  const { template } = aStoryPool().spec;
  return { spec: { ...template.spec, taints: [{ key: 'reserved', effect: 'NoSchedule' as const }] } };
};

/** A deployment whose pods share no node with any other pod. */
const lonely = () => {
  const { spec, ...rest } = aStoryDeployment(1);
  const affinity = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: {} }] },
  };
  const template = { metadata: { labels: { app: 'lonely' } }, spec: { affinity, containers: [{ name: 'main', image: 'pause' }] } };
  return {
    ...rest,
    metadata: { name: 'lonely', namespace: 'default' },
    spec: { ...spec, selector: { matchLabels: { app: 'lonely' } }, template },
  };
};
