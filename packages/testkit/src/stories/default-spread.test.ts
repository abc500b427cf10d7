import type { Node, Pod } from '@karpenter/core';
import type { TopologySpreadConstraint } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { describe, expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const zone = 'topology.kubernetes.io/zone';
const overZones: TopologySpreadConstraint = { topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' };
const service: KubeObject & { readonly spec: object } = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'inflate', namespace: 'default' },
  spec: { selector: { app: 'inflate' }, ports: [{ port: 80 }] },
};

const zoneOf = ({ spec: { nodeName } }: Pod, nodes: readonly Node[]): string =>
  nodes.find(({ metadata }) => metadata.name === nodeName)?.metadata.labels?.[zone] ?? '';

/** How many pods run in each zone, the fewest first. */
const byZone = async (story: StoryCluster): Promise<readonly number[]> => {
  const [pods, nodes] = await Promise.all([story.pods(), story.nodes()]);
  const zones = pods.filter(({ status }) => status?.phase === 'Running').map((pod) => zoneOf(pod, nodes));
  return [...new Set(zones)].map((each) => zones.filter((other) => other === each).length).sort((a, b) => a - b);
};

const settles = (story: StoryCluster, sizes: readonly number[]): Promise<void> =>
  story.until(`pods run ${sizes.join(' and ')} to a zone`, async () => JSON.stringify(await byZone(story)) === JSON.stringify(sizes));

describe('pods that ask for no spread, under a scheduler that spreads by default', () => {
  test('get nodes in as many zones as the scheduler wants, and keep them when fewer pods are left', async () => {
    await using story = await aStoryCluster({}, [overZones]);
    await story.create(aStoryPool(), aStoryDeployment(6));
    await settles(story, [2, 2, 2]);
    await story.scale('inflate', 3);
    await story.until('three pods are left', async () => (await story.pods()).length === 3);
    await story.pass(120_000);
    const pods = await story.pods();
    expect(pods.every(({ status }) => status?.phase === 'Running')).toBe(true);
  });

  test('are spread over the pods of their Service where they have no controller', async () => {
    await using story = await aStoryCluster({}, [overZones]);
    const alone = ['a', 'b', 'c'].map((name): KubeObject & { readonly spec: object } => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', labels: { app: 'inflate' } },
      spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] },
    }));
    await story.create(aStoryPool(), service, ...alone);
    await settles(story, [1, 1, 1]);
  });
});

test('pods go on one node where nothing spreads them', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool(), aStoryDeployment(3));
  await settles(story, [3]);
});
