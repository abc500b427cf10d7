import type { RepairPolicy } from '@karpenter/core';

const TEN_MINUTES = 600_000;

/**
 * Conditions after which a node of AKS is deleted.
 * Differs: the original also repairs `PreemptionScheduled`; here that is an interruption, which needs no gate.
 */
export const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', conditionStatus: 'False', tolerationMs: TEN_MINUTES },
  { conditionType: 'Ready', conditionStatus: 'Unknown', tolerationMs: TEN_MINUTES },
  { conditionType: 'kubernetes.azure.com/NodeHealthy', conditionStatus: 'False', tolerationMs: 0 },
];
