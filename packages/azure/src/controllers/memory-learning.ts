import { labels, type Node, type NodeClaim, resourcesOf } from '@karpenter/core';
import { type Controller, settled } from '@karpenter/runtime';
import { type AKSNodeClass, azureAnnotations, nodeClassHashOf } from '../apis/index.ts';
import { facetsOf, type InstanceTypeCatalog } from '../catalog/index.ts';
import { type AzureOptions, defaultMaxPodsOf } from '../options/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { readNodeClass } from '../provider/usable-node-class.ts';
import { rememberSize } from './tried-sizes.ts';

export interface MemoryLearningDeps {
  readonly kube: Pick<AzureKube, 'get' | 'patch'>;
  readonly catalog: Pick<InstanceTypeCatalog, 'learnMemory'>;
  readonly options: AzureOptions;
}

/** Whether the claim is of the node and says the same of its size: a kubelet may label its own node with another one. */
const isOfNode = ({ metadata, status }: NodeClaim, node: Node): boolean =>
  status?.providerID !== undefined &&
  status.providerID === node.spec?.providerID &&
  metadata.labels?.[labels.instanceType] === node.metadata.labels?.[labels.instanceType];

/** The class that a node was made by, as it was then; undefined where it was changed since, or is gone. */
const classOf = async (
  { kube }: { readonly kube: Pick<AzureKube, 'get'> },
  node: Node,
  signal: AbortSignal,
): Promise<AKSNodeClass | undefined> => {
  const owner = node.metadata.ownerReferences?.find(({ kind }) => kind === 'NodeClaim');
  const claim = owner && (await kube.get<NodeClaim>('NodeClaim', { name: owner.name }, { signal }));
  if (claim === undefined || !isOfNode(claim, node)) return undefined;
  const nodeClass = await readNodeClass(kube, claim.spec.nodeClassRef.name, signal);
  const hash = claim.metadata.annotations?.[azureAnnotations.nodeClassHash];
  return nodeClass && hash === nodeClassHashOf(nodeClass) ? nodeClass : undefined;
};

/**
 * Learns from each node that has joined how much memory its size really has. Ignores nodes of another image family than
 * their class has now: they may report too little, and the least that two nodes report counts. Differs: the original
 * takes one percentage off every size, which is wrong by up to five percent.
 */
export const memoryLearning = ({ kube, catalog, options }: MemoryLearningDeps): Controller<Node> => ({
  name: 'instancetype.memory',
  kind: 'Node',
  async reconcile(node, { signal }) {
    const { [labels.instanceType]: size, [labels.registered]: registered } = node.metadata.labels ?? {};
    const { memory } = resourcesOf(node.status?.capacity);
    if (size === undefined || registered !== 'true' || memory === undefined) return settled;
    const nodeClass = await classOf({ kube }, node, signal);
    if (nodeClass === undefined) return settled;
    catalog.learnMemory(size, facetsOf(nodeClass, defaultMaxPodsOf(options)), { nodeName: node.metadata.name, bytes: memory });
    await rememberSize(kube, { nodeClass, size }, signal);
    return settled;
  },
});
