import { labels, type NodeClaim, type RequirementSpec } from '@karpenter/core';
import type { NamedObject } from './fake-cluster.ts';

export const D2 = { key: labels.instanceType, operator: 'In', values: ['Standard_D2s_v3'] } as const;
export const onDemand = { key: labels.capacityType, operator: 'In', values: ['on-demand'] } as const;

/** A claim of the pool `general`; for a D2s_v3 on demand unless requirements are given. */
export const aClaim = (name: string, ...requirements: readonly RequirementSpec[]): NodeClaim & NamedObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, labels: { [labels.nodePool]: 'general' } },
  spec: {
    requirements: requirements.length === 0 ? [D2, onDemand] : requirements,
    nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    resources: { requests: { cpu: '1', memory: '1Gi' } },
  },
});
