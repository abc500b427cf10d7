import { expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const A_MINUTE_MS = 60_000;

const isUp = ({ status }: Awaited<ReturnType<StoryCluster['nodes']>>[number]): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
const up = async (story: StoryCluster): Promise<number> => (await story.nodes()).filter(isUp).length;

const minimumMet = async (story: StoryCluster): Promise<unknown> => {
  const { conditions = [] } = (await story.pool('general'))?.status ?? {};
  const { status, message } = conditions.find(({ type }) => type === 'MinimumMet') ?? {};
  return { status, message };
};

const patch = (story: StoryCluster, spec: Partial<NodePool['spec']>): Promise<unknown> =>
  story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec } });

/** Lets time pass until something is so; returns how many nodes were up at least, checked each second. */
const leastUpUntil = async (story: StoryCluster, what: string, isSo: () => Promise<boolean>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let seconds = 0; seconds < 600; seconds += 1) {
    least = Math.min(least, await up(story));
    if (await isSo()) return least;
    await story.pass(1000);
  }
  throw new Error(`after ten minutes it is still not so that ${what}`);
};

const versioned = (version: string): Pick<NodePool['spec'], 'template'> => {
  const { template } = aStoryPool().spec;
  return { template: { ...template, metadata: { labels: { version } } } };
};

test('when a pool has a minimum of two nodes › they come without pods, scale-down ends there, a restart adds none, and drift replaces them first', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool({ ...versioned('1'), minimum: { nodes: '2' } }));
  await story.until('two nodes are up', async () => (await up(story)) === 2);
  await story.until('the pool says so', async () => JSON.stringify(await minimumMet(story)).includes('True'));
  await story.create(aStoryDeployment(12));
  await story.until('the pods run', async () => (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === 12);
  expect(await up(story)).toBeGreaterThan(2);
  await story.scale('inflate', 0);
  await story.until('two nodes are left', async () => (await story.claims()).length === 2, 1_800_000);
  story.restart();
  await story.pass(A_MINUTE_MS / 2);
  expect([await up(story), (await story.claims()).length]).toEqual([2, 2]);
  await patch(story, versioned('2'));
  const areNew = async () => (await story.nodes()).map(({ metadata }) => metadata.labels?.['version']).join() === '2,2';
  expect(await leastUpUntil(story, 'both nodes are new', areNew)).toBe(2);
});

test('when nodes of a minimum expire › their replacements are up before', async () => {
  await using story = await aStoryCluster();
  const { template } = aStoryPool().spec;
  await story.create(aStoryPool({ template: { spec: { ...template.spec, expireAfter: '4m' } }, minimum: { nodes: '1' } }));
  await story.until('a node is up', async () => (await up(story)) === 1);
  const [first] = await story.claims();
  const isGone = async () => (await story.claims()).every(({ metadata }) => metadata.name !== first?.metadata.name);
  expect(await leastUpUntil(story, 'the first node is gone', isGone)).toBe(1);
  expect(await story.claims()).toHaveLength(1);
});

test('when a limit is below the minimum › the limit counts, and the condition names both; a node deleted by hand is replaced', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool({ minimum: { nodes: '3' }, limits: { nodes: '1' } }));
  await story.until('a node is up', async () => (await up(story)) === 1);
  await story.pass(A_MINUTE_MS);
  expect(await story.claims()).toHaveLength(1);
  expect(await minimumMet(story)).toEqual({ status: 'False', message: 'nodes: 1 of 3, limited to 1' });
  const [node] = await story.nodes();
  await story.kube.delete('Node', { name: node?.metadata.name ?? '' });
  await story.until('another is up', async () =>
    (await story.nodes()).some((each) => isUp(each) && each.metadata.uid !== node?.metadata.uid),
  );
});

test('when the minimum is of cpu › the nodes have it together', async () => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool({ minimum: { cpu: '20' } }));
  await story.until('the pool has it', async () => JSON.stringify(await minimumMet(story)).includes('True'));
  const { resources } = (await story.pool('general'))?.status ?? {};
  expect(Number(resources?.['cpu'])).toBeGreaterThanOrEqual(20);
  const count = (await story.claims()).length;
  await story.pass(A_MINUTE_MS);
  expect(await story.claims()).toHaveLength(count);
});
