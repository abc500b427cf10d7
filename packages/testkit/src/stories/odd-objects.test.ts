import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { oddNode, oddNodeClaim, oddNodeClaims, oddNodePool, oddNodePools, oddNodes } from './odd-objects.ts';
import { aStoppedStoryCluster, aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

/** Ordinary pods stay off the odd nodes, so that only new machines help them. */
const ordinaryPods = (replicas: number): KubeObject & { readonly spec: object } => {
  const deployment = aStoryDeployment(replicas);
  const { template, ...spec } = deployment.spec as { readonly template: { readonly metadata: object; readonly spec: object } };
  const nodeSelector = { 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'on-demand' };
  return { ...deployment, spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeSelector } } } };
};

const servesBeside = async (odd: readonly KubeObject[]): Promise<void> => {
  await using story = await aStoryCluster();
  await story.create(aStoryPool());
  await story.create(...odd);
  await story.pass(2_000);
  await story.create(ordinaryPods(5));
  await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 90_000);
  await story.pass(60_000);
  await story.scale('inflate', 8);
  await story.until('eight pods run', async () => (await runningPodCount(story)) === 8, 90_000);
  expect(story.bugs).toEqual([]);
};

test('beside 33 odd Nodes ordinary pods get nodes, before and after a minute of disruption', async () => {
  await servesBeside(Object.values(oddNodes).map(oddNode));
});

test('beside 24 odd NodeClaims ordinary pods get nodes, before and after a minute of disruption', async () => {
  await servesBeside(Object.values(oddNodeClaims).map(oddNodeClaim));
});

test('beside 86 odd NodePools ordinary pods get nodes, before and after a minute of disruption', async () => {
  await servesBeside(Object.values(oddNodePools).map(oddNodePool));
});

/** Pools of each sort that might keep pods: by a name, by claims that would be refused, by limits, by what they ask for. */
const COMPETING = new Set([
  'a name with dots',
  '10,000 values of a size',
  'a hundred requirements',
  'a hundred labels that must be absent',
  'a hundred labels',
  'annotations of 300 KB for its nodes',
  'limits beyond all bounds',
  'minValues that nothing meets',
  'another operating system',
]);

describe('a NodePool that comes first competes for pods that any pool may serve', () => {
  const competing = Object.entries(oddNodePools).filter(([what]) => COMPETING.has(what));
  test.each(competing)('%s › the pods run within a minute and a half', async (_, odd) => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), oddNodePool(odd, 0));
    await story.pass(2_000);
    await story.create(aStoryDeployment(3));
    await story.until('three pods run', async () => (await runningPodCount(story)) === 3, 90_000);
    expect(story.bugs).toEqual([]);
  });
});

test('a bug in the reconcile of one object counts, too: the story fails at its end', async () => {
  const story = await aStoppedStoryCluster();
  const isDrifted = () => Promise.reject(new TypeError('x is undefined'));
  story.interceptors = { ...story.interceptors, cloud: (provider) => Object.assign(provider, { isDrifted }) };
  story.start();
  await story.create(aStoryPool(), aStoryDeployment(1));
  await story.until('a reconcile met a bug', () => Promise.resolve(story.bugs.length > 0), 300_000);
  await expect(story[Symbol.asyncDispose]()).rejects.toThrow('nodeclaim.disruption: TypeError: x is undefined');
});
