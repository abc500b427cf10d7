import type { NodePool } from '@karpenter/core';
import { simulatedNodeClassKind } from '@karpenter/simulator';

const { group, kind } = simulatedNodeClassKind;

type Disruption = NonNullable<NodePool['spec']['disruption']>;
type Requirements = NodePool['spec']['template']['spec']['requirements'];

/** The pool `default` of the simulated cloud, whose nodes do not expire. */
export const simulatedPool = (requirements: Requirements, disruption: Disruption): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: { spec: { requirements, nodeClassRef: { group, kind, name: 'default' }, expireAfter: 'Never' } },
    disruption,
  },
});
