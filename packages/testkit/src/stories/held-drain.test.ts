import { expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const GUARDED = { name: 'guarded', namespace: 'another', labels: { app: 'guarded' } };

/** Five nodes with a pod each. */
const onNodesOfTheirOwn = () => {
  const deployment = aStoryDeployment(5) as ReturnType<typeof aStoryDeployment> & {
    readonly spec: { readonly template: { readonly metadata: object; readonly spec: object } };
  };
  const { template } = deployment.spec;
  const labelSelector = { matchLabels: { app: 'inflate' } };
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector }],
  };
  const spec = { ...deployment.spec, template: { ...template, spec: { ...template.spec, affinity: { podAntiAffinity } } } };
  return { ...deployment, spec };
};

const aPoolWith = (terminationGracePeriod?: string): NodePool => {
  const pool = aStoryPool({ disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] } });
  const { template } = pool.spec;
  const spec = { ...template.spec, ...(terminationGracePeriod !== undefined && { terminationGracePeriod }) };
  return { ...pool, spec: { ...pool.spec, template: { ...template, spec } } };
};

/** Someone deletes a node on which a pod of another namespace runs that its budget never lets go; then three other nodes are empty. */
const heldUp = async (story: StoryCluster, pool: NodePool): Promise<string> => {
  await story.create(pool, onNodesOfTheirOwn());
  await story.until('five pods run', async () => (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === 5);
  const [node] = await story.nodes();
  const held = node?.metadata.name ?? '';
  await story.create(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: GUARDED.namespace } },
    {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: GUARDED },
      ...{ spec: { minAvailable: 1, selector: { matchLabels: GUARDED.labels } } },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: GUARDED },
      ...{ spec: { nodeName: held, terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'pause' }] } },
    },
  );
  await story.pass(5_000);
  await story.kube.delete('Node', { name: held });
  await story.pass(30_000);
  await story.scale('inflate', 1);
  return held;
};

test('when a budget never lets a pod of a draining node go › the empty nodes of its pool stay', async () => {
  await using story = await aStoryCluster();
  const held = await heldUp(story, aPoolWith());
  await story.pass(600_000);
  const names = (await story.nodes()).map(({ metadata: { name } }) => name);
  expect(names).toHaveLength(6);
  expect(names).toContain(held);
});

test('when the pool has terminationGracePeriod too › the pod is deleted then, and the empty nodes go', async () => {
  await using story = await aStoryCluster();
  await heldUp(story, aPoolWith('5m'));
  await story.until('one node is left', async () => (await story.nodes()).length === 1, 600_000);
  expect((await story.pods()).map(({ metadata: { namespace } }) => namespace)).toEqual(['default']);
});
