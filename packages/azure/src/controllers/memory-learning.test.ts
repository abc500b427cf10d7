import { expect, test } from '@jest/globals';
import { labels, type Node } from '@karpenter/core';
import { aNodeClass, aPool } from '../testing/azure-world.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { memoryLearning, type MemoryLearningDeps } from './memory-learning.ts';

const learnedFrom = async (node: Node): Promise<readonly string[]> => {
  const cluster = new FakeCluster();
  cluster.put(aNodeClass());
  cluster.put(aPool);
  const told: string[] = [];
  const catalog = {
    learnMemory: (...[size, { osSku }, bytes]: Parameters<MemoryLearningDeps['catalog']['learnMemory']>) =>
      void told.push(`${size} ${osSku} ${bytes}`),
  };
  const options = { networkPlugin: 'azure', networkPluginMode: 'overlay' } as MemoryLearningDeps['options'];
  await memoryLearning({ kube: cluster.kube(), catalog, options }).reconcile(node, { signal: new AbortController().signal });
  return told;
};

const own = { [labels.instanceType]: 'Standard_D2s_v3', [labels.nodePool]: 'general', [labels.registered]: 'true' };
const aNode = (nodeLabels: Readonly<Record<string, string>>): Node => ({
  metadata: { name: 'n', labels: nodeLabels },
  status: { capacity: { memory: '8000Mi' } },
});

test('a node that has joined tells the memory of its size', async () => {
  expect(await learnedFrom(aNode(own))).toEqual([`Standard_D2s_v3 Ubuntu ${8000 * 1024 ** 2}`]);
});

test.each([
  ['has not joined', { ...own, [labels.registered]: 'false' }],
  ['is none of ours', { [labels.instanceType]: 'Standard_D2s_v3' }],
  ['has no pool any longer', { ...own, [labels.nodePool]: 'gone' }],
])('a node that %s tells nothing', async (_what, nodeLabels) => {
  expect(await learnedFrom(aNode(nodeLabels))).toEqual([]);
});
