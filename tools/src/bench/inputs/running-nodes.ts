import { nodeClaimConditions, type Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { aNode } from '@karpenter/testkit';
import { genericPods } from './workloads.ts';

const GIB = 1024 ** 3;

/** Nodes of 16 cpus that carry so many pods of the mix each. */
export const runningNodes = (count: number, podsEach: number, podLimit = 110): readonly NodeView[] =>
  carryingNodes(genericPods(count * podsEach, 3), podsEach, podLimit);

/** As many nodes of 16 cpus as the pods need when each carries `podsEach` of them, in order. */
export const carryingNodes = (pods: readonly Pod[], podsEach: number, podLimit = 110): readonly NodeView[] =>
  Array.from({ length: Math.ceil(pods.length / podsEach) }, (_, index) => {
    const name = `node-${String(index).padStart(5, '0')}`;
    const own = pods.slice(index * podsEach, (index + 1) * podsEach);
    return aNode({
      name,
      zone: `eastus-${(index % 3) + 1}`,
      nodePoolName: 'default',
      labels: { 'node.kubernetes.io/instance-type': 'Standard_D16s_v5' },
      allocatable: { cpu: 15_740, memory: 61 * GIB, pods: podLimit },
      pods: own.map((pod): Pod => ({ ...pod, spec: { ...pod.spec, nodeName: name }, status: { phase: 'Running' } })),
    });
  });

/**
 * The nodes as consolidation finds them hardest: theirs to take, full, and on spot, where each needs one new machine
 * that may not replace it. A pass asks about every one of them and finds nothing.
 */
export const nodesOnSpot = (nodes: readonly NodeView[]): readonly NodeView[] =>
  nodes.map((node) => ({
    ...node,
    labels: { ...node.labels, 'karpenter.sh/capacity-type': 'spot' },
    claim: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-of-${node.name}` },
      spec: { requirements: [], nodeClassRef: { group: 'bench', kind: 'BenchNodeClass', name: 'default' } },
      status: {
        conditions: [nodeClaimConditions.initialized, nodeClaimConditions.consolidatable].map((type) => ({
          ...{ type, status: 'True' as const },
          lastTransitionTime: '2026-01-01T00:00:00Z',
        })),
      },
    },
  }));
