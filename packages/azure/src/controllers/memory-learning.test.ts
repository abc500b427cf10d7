import { describe, expect, test } from '@jest/globals';
import { labels, type Node } from '@karpenter/core';
import { type AKSNodeClass, azureAnnotations, nodeClassHashOf } from '../apis/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { aNodeClass } from '../testing/azure-world.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { memoryLearning, type MemoryLearningDeps } from './memory-learning.ts';
import { triedSizes } from './tried-sizes.ts';

/** The claim of the node was made by the class as it was first. */
const learnedFrom = async (
  node: Node,
  spec: AKSNodeClass['spec'] = aNodeClass().spec,
  cluster = new FakeCluster(),
): Promise<readonly string[]> => {
  const size = node.metadata.labels?.[labels.instanceType] ?? '';
  return learnedBeside({ providerID: 'azure:///n', size }, { node, spec, cluster });
};

/** The claim names its machine and the size. */
const learnedBeside = async (
  { providerID, size }: { readonly providerID: string; readonly size: string },
  { node, spec = aNodeClass().spec, cluster = new FakeCluster() }: { node: Node; spec?: AKSNodeClass['spec']; cluster?: FakeCluster },
): Promise<readonly string[]> => {
  if (cluster.nodeClass() === undefined) cluster.put({ ...aNodeClass(), ...(spec && { spec }) });
  const claim = aClaim('general-a');
  const annotations = { [azureAnnotations.nodeClassHash]: nodeClassHashOf(aNodeClass()) };
  const claimLabels = { ...claim.metadata.labels, [labels.instanceType]: size };
  const withMachine = { ...claim, metadata: { ...claim.metadata, annotations, labels: claimLabels }, status: { providerID } };
  cluster.put(withMachine);
  const learned: string[] = [];
  const catalog = {
    learnMemory: (...[learnedSize, { osSku }, { bytes }]: Parameters<MemoryLearningDeps['catalog']['learnMemory']>) =>
      void learned.push(`${learnedSize} ${osSku} ${bytes}`),
  };
  const options = { networkPlugin: 'azure', networkPluginMode: 'overlay' } as MemoryLearningDeps['options'];
  await memoryLearning({ kube: cluster.kube(), catalog, options }).reconcile(node, { signal: new AbortController().signal });
  return learned;
};

const own = { [labels.instanceType]: 'Standard_D2s_v3', [labels.registered]: 'true' };
const aJoinedNode = (nodeLabels: Readonly<Record<string, string>> = own, claimName = 'general-a'): Node => ({
  metadata: {
    ...{ name: 'n', labels: nodeLabels },
    ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claimName, uid: 'u' }],
  },
  spec: { providerID: 'azure:///n' },
  status: { capacity: { memory: '8000Mi' } },
});

test('a node that has joined reports the memory of its size', async () => {
  expect(await learnedFrom(aJoinedNode())).toEqual([`Standard_D2s_v3 Ubuntu ${8000 * 1024 ** 2}`]);
});

test.each<[string, Node]>([
  ['has not joined', aJoinedNode({ ...own, [labels.registered]: 'false' })],
  ['is none of ours', { ...aJoinedNode(), metadata: { name: 'n', labels: own } }],
  ['has no claim any longer', aJoinedNode(own, 'gone')],
])('a node that %s is ignored', async (_what, node) => {
  expect(await learnedFrom(node)).toEqual([]);
});

test.each([
  ['another size than its claim', { providerID: 'azure:///n', size: 'Standard_D64s_v3' }],
  ['a claim that has another machine', { providerID: 'azure:///other', size: 'Standard_D2s_v3' }],
])('a node with %s is ignored: its kubelet may write labels', async (_what, said) => {
  expect(await learnedBeside(said, { node: aJoinedNode() })).toEqual([]);
});

test('a node whose class was changed since is ignored: it may report too little', async () => {
  expect(await learnedFrom(aJoinedNode(), { ...aNodeClass().spec, imageFamily: 'AzureLinux' })).toEqual([]);
});

describe('F9: a size that competes only after a trial', () => {
  test('is kept on its class once a node of it has joined, and is known after a restart without any', async () => {
    const cluster = new FakeCluster();
    for (const size of ['Standard_E128bds_v6', 'Standard_D2s_v3', 'Standard_NC6_Promo', 'Standard_D4s_v99']) {
      await learnedFrom(aJoinedNode({ ...own, [labels.instanceType]: size }), aNodeClass().spec, cluster);
    }
    const nodeClass = cluster.nodeClass();
    expect(nodeClass?.metadata.annotations?.[azureAnnotations.triedSizes]).toBe('Standard_D4s_v99,Standard_E128bds_v6');
  });

  test('is learned from the annotation of a class', async () => {
    const learned: string[] = [];
    const nodeClass = {
      ...aNodeClass(),
      metadata: { name: 'default', annotations: { [azureAnnotations.triedSizes]: 'Standard_A,Standard_B' } },
    };
    await triedSizes({ catalog: { learnSize: (size) => void learned.push(size) } }).reconcile(nodeClass, {
      signal: new AbortController().signal,
    });
    expect(learned).toEqual(['Standard_A', 'Standard_B']);
  });
});
