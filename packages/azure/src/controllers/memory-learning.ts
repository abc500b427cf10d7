import { labels, type Node, type NodePool, resourcesOf } from '@karpenter/core';
import { type Controller, settled } from '@karpenter/core/controllers';
import { facetsOf, type InstanceTypeCatalog } from '../catalog/index.ts';
import { type AzureOptions, defaultMaxPodsOf } from '../options/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { readNodeClass } from '../provider/resolve-node-class.ts';

export interface MemoryLearningDeps {
  readonly kube: Pick<AzureKube, 'get'>;
  readonly catalog: Pick<InstanceTypeCatalog, 'learnMemory'>;
  readonly options: AzureOptions;
}

/**
 * Learns from each node that has joined how much memory its size really has.
 * Differs: the original takes one percentage off every size, which is wrong by up to five percent.
 */
export const memoryLearning = ({ kube, catalog, options }: MemoryLearningDeps): Controller<Node> => ({
  name: 'instancetype.memory',
  kind: 'Node',
  async reconcile({ metadata, status }, { signal }) {
    const { [labels.instanceType]: size, [labels.nodePool]: poolName, [labels.registered]: registered } = metadata.labels ?? {};
    const { memory } = resourcesOf(status?.capacity);
    if (size === undefined || poolName === undefined || registered !== 'true' || memory === undefined) return settled;
    const pool = await kube.get<NodePool>('NodePool', { name: poolName }, { signal });
    const nodeClass = pool && (await readNodeClass(kube, pool.spec.template.spec.nodeClassRef.name, signal));
    if (nodeClass !== undefined) catalog.learnMemory(size, facetsOf(nodeClass, defaultMaxPodsOf(options)), memory);
    return settled;
  },
});
