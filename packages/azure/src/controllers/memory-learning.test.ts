import { expect, test } from '@jest/globals';
import { labels, type Node } from '@karpenter/core';
import { type AKSNodeClass, azureAnnotations, nodeClassHashOf } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass } from '../testing/azure-world.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { memoryLearning, type MemoryLearningDeps } from './memory-learning.ts';

/** The claim of the node was made by the class as it was first. */
const learnedFrom = async (node: Node, spec: AKSNodeClass['spec'] = aNodeClass().spec): Promise<readonly string[]> => {
  const cluster = new FakeCluster();
  cluster.put({ ...aNodeClass(), ...(spec && { spec }) });
  const claim = aClaim('general-a');
  const annotations = { [azureAnnotations.nodeClassHash]: nodeClassHashOf(aNodeClass()) };
  cluster.put({ ...claim, metadata: { ...claim.metadata, annotations } });
  const told: string[] = [];
  const catalog = {
    learnMemory: (...[size, { osSku }, bytes]: Parameters<MemoryLearningDeps['catalog']['learnMemory']>) =>
      void told.push(`${size} ${osSku} ${bytes}`),
  };
  const options = { networkPlugin: 'azure', networkPluginMode: 'overlay' } as MemoryLearningDeps['options'];
  await memoryLearning({ kube: cluster.kube(), catalog, options }).reconcile(node, { signal: new AbortController().signal });
  return told;
};

const own = { [labels.instanceType]: 'Standard_D2s_v3', [labels.registered]: 'true' };
const aNode = (nodeLabels: Readonly<Record<string, string>> = own, claimName = 'general-a'): Node => ({
  metadata: {
    ...{ name: 'n', labels: nodeLabels },
    ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claimName, uid: 'u' }],
  },
  status: { capacity: { memory: '8000Mi' } },
});

test('a node that has joined tells the memory of its size', async () => {
  expect(await learnedFrom(aNode())).toEqual([`Standard_D2s_v3 Ubuntu ${8000 * 1024 ** 2}`]);
});

test.each<[string, Node]>([
  ['has not joined', aNode({ ...own, [labels.registered]: 'false' })],
  ['is none of ours', { ...aNode(), metadata: { name: 'n', labels: own } }],
  ['has no claim any longer', aNode(own, 'gone')],
])('a node that %s tells nothing', async (_what, node) => {
  expect(await learnedFrom(node)).toEqual([]);
});

test('a node whose class was changed since tells nothing: the least that was told counts, and it would be too little for ever', async () => {
  expect(await learnedFrom(aNode(), { ...aNodeClass().spec, imageFamily: 'AzureLinux' })).toEqual([]);
});
