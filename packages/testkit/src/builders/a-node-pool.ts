import type { NodePool, RequirementSpec } from '@karpenter/core';
import type { NodeClaimTemplateSpec, NodePoolSpec } from '@karpenter/core/internal';

/** What a test says about a NodePool. */
export interface NodePoolOptions {
  /** Default `default`. */
  readonly name?: string;
  readonly requirements?: readonly RequirementSpec[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: NodeClaimTemplateSpec['taints'];
  readonly startupTaints?: NodeClaimTemplateSpec['startupTaints'];
  readonly limits?: NodePoolSpec['limits'];
  readonly weight?: number;
  readonly disruption?: NodePoolSpec['disruption'];
}

/** A ready NodePool that allows everything its provider sells. */
export const aNodePool = (options: NodePoolOptions = {}): NodePool => {
  const { name = 'default', requirements = [], labels, taints, startupTaints, limits, weight, disruption } = options;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, uid: `nodepool-${name}` },
    spec: {
      template: {
        ...(labels === undefined ? {} : { metadata: { labels } }),
        spec: {
          requirements,
          nodeClassRef: { group: 'karpenter.test', kind: 'TestNodeClass', name: 'default' },
          ...(taints === undefined ? {} : { taints }),
          ...(startupTaints === undefined ? {} : { startupTaints }),
        },
      },
      ...(limits === undefined ? {} : { limits }),
      ...(weight === undefined ? {} : { weight }),
      ...(disruption === undefined ? {} : { disruption }),
    },
  };
};
