import type { NodePool } from '@karpenter/core';
import type { RebalancePlan } from '@karpenter/core/internal';
import type { SimulatedInstanceType } from '@karpenter/simulator';
import { isRunning } from './cluster-picture.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

const aSize = (name: string, cpu: number, pricePerHour: number): SimulatedInstanceType => ({
  ...{ name, cpu, pricePerHour, memoryGiB: 64 },
  ...{ arch: 'amd64', zones: ['test-zone-1'] },
});

/** One large node is dearer than a small one, and cheaper than two. */
export const smallAndLarge = [aSize('small', 4, 0.4), aSize('large', 16, 0.5)] as const;

/** A pool that buys these sizes; one of its nodes may go at once. */
const poolOf = (...sizes: readonly string[]): NodePool => {
  const { template } = aStoryPool().spec;
  const requirements = [...template.spec.requirements, { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: sizes }];
  return aStoryPool({
    template: { spec: { ...template.spec, requirements } },
    disruption: { consolidateAfter: '0s', budgets: [{ nodes: '1' }] },
  });
};

/** Fills four small nodes with twelve pods, and lets the pool buy large ones: no single step saves anything then. */
export const fillSmallNodes = async (story: StoryCluster): Promise<void> => {
  await story.create(poolOf('small'), aStoryDeployment(12));
  await story.until('twelve pods run', async () => (await story.pods()).filter(isRunning).length === 12);
  const { template } = poolOf('small', 'large').spec;
  await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { template } } });
};

export const aRebalancePlan = (spec: RebalancePlan['spec'] = {}, name = 'now'): RebalancePlan => ({
  ...{ apiVersion: 'karpenter.sh/v1alpha1', kind: 'RebalancePlan', metadata: { name } },
  spec,
});
