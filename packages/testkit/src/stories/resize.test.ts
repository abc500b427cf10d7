import { describe, expect, jest, test } from '@jest/globals';
import type { NodePool, Pod } from '@karpenter/core';
import { isRunning } from './cluster-picture.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const SIZE = 'node.kubernetes.io/instance-type';

const poolOfSizes = (): NodePool => {
  const { template } = aStoryPool().spec;
  const size = { key: SIZE, operator: 'In' as const, values: ['sim-c4', 'sim-c8', 'sim-c16'] };
  return aStoryPool({ template: { ...template, spec: { ...template.spec, requirements: [...template.spec.requirements, size] } } });
};

const sizesOf = async (story: StoryCluster): Promise<readonly string[]> =>
  (await story.nodes()).map(({ metadata }) => metadata.labels?.[SIZE] ?? '');

/** Two pods of one core each, beside the one that is resized. */
const filler = JSON.parse(JSON.stringify(aStoryDeployment(2)).replaceAll('inflate', 'filler')) as ReturnType<typeof aStoryDeployment>;

/** Three pods of one core each on a node of four; one pod is resized. */
const startResized = async (cpu: string): Promise<StoryCluster> => {
  const story = await aStoryCluster();
  await story.create(poolOfSizes(), aStoryDeployment(1), filler);
  await story.until('three pods run', async () => (await story.pods()).filter(isRunning).length === 3);
  await resizeOne(story, cpu);
  await story.pass(60_000);
  return story;
};

const resized = async (story: StoryCluster): Promise<Pod | undefined> =>
  (await story.pods()).find(({ metadata }) => metadata.labels?.['app'] === 'inflate');

const resizeOne = async (story: StoryCluster, cpu: string): Promise<void> => {
  const body = { spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] } };
  story.local.patch(
    'Pod',
    { namespace: 'default', name: (await resized(story))?.metadata.name ?? '' },
    { type: 'strategic', subresource: 'resize', body },
  );
};

const grantedOf = async (story: StoryCluster): Promise<unknown> =>
  (await resized(story))?.status?.containerStatuses?.[0]?.allocatedResources?.['cpu'];

const pendingOf = (pods: readonly Pod[]): readonly (string | undefined)[] =>
  pods.flatMap(({ status }) => status?.conditions?.filter(({ type }) => type === 'PodResizePending').map(({ reason }) => reason) ?? []);

const eventsOf = async (story: StoryCluster): Promise<readonly string[]> => {
  const { items } = await story.kube.list('Event', { namespace: 'default' });
  const events = items as readonly { readonly reason?: string; readonly type?: string; readonly message?: string }[];
  return events.filter(({ reason }) => reason === 'ResizePending').map(({ type, message }) => `${type ?? ''}: ${message ?? ''}`);
};

/** The cheapest sizes of the nodes that replaced drifted ones. */
const replacementsAfterDrift = async (story: StoryCluster): Promise<readonly (string | undefined)[]> => {
  const labels = { generation: 'second' };
  await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { template: { metadata: { labels } } } } });
  const replaced = () => story.decisions.flatMap((each) => (each.kind === 'node-claim-created' && each.reason === 'Drifted' ? [each] : []));
  await story.until('the drifted node has its replacement', () => replaced().length > 0);
  return replaced().map(({ planned }) => planned.instanceTypes[0]?.name);
};

describe('a pod that is resized in place', () => {
  test('when its node has room › runs with it, and counts with it', async () => {
    await using story = await startResized('1500m');
    expect([await grantedOf(story), pendingOf(await story.pods()), await eventsOf(story)]).toEqual(['1500m', [], []]);
    expect(await sizesOf(story)).toEqual(['sim-c4']);
  });

  test('when its node has no room now › gets an event and no new node, and a node that replaces this one has the room', async () => {
    await using story = await startResized('3');
    expect([await grantedOf(story), pendingOf(await story.pods())]).toEqual(['1', ['Deferred']]);
    expect(await eventsOf(story)).toEqual([expect.stringContaining('Normal: The resize waits for room on node')]);
    expect(await sizesOf(story)).toEqual(['sim-c4']);
    expect(await replacementsAfterDrift(story)).toEqual(['sim-c8']);
  });

  test('when other pods leave › gets its room', async () => {
    await using story = await startResized('3');
    await story.scale('filler', 0);
    await story.until('it is granted', async () => (await grantedOf(story)) === '3');
    expect(pendingOf(await story.pods())).toEqual([]);
  });

  test('when no node of this size holds it › gets a warning and no new node, nor does its replacement count it', async () => {
    await using story = await startResized('7');
    expect([await grantedOf(story), pendingOf(await story.pods())]).toEqual(['1', ['Infeasible']]);
    expect(await eventsOf(story)).toEqual([expect.stringMatching(/^Warning: Node \S+ cannot hold the resize/)]);
    expect(await sizesOf(story)).toEqual(['sim-c4']);
    expect(await replacementsAfterDrift(story)).toEqual(['sim-c4']);
  });

  test('when an infeasible resize is taken back › nothing is pending any more', async () => {
    await using story = await startResized('7');
    await resizeOne(story, '1');
    await story.until('the condition is gone', async () => pendingOf(await story.pods()).length === 0);
    expect(await grantedOf(story)).toBe('1');
  });
});
