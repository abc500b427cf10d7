import type { ClusterSnapshot } from '@karpenter/core';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { ownNode, podsOfDeployment } from './a-source.ts';

/** 5,000 nodes of one pool with 20 pods each. */
export const largeCluster = (): ClusterSnapshot =>
  aSnapshot({
    nodes: Array.from({ length: 5000 }, (_, index) =>
      ownNode(`node-${String(index).padStart(4, '0')}`, podsOfDeployment('web', 20, 50 + (index % 150))),
    ),
    nodePools: [aNodePool({ limits: { cpu: '30000' } })],
  });
