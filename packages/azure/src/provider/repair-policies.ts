import type { RepairPolicy } from '@karpenter/core';

const TEN_MINUTES = 600_000;
/** The least that Azure gives before it takes a spot machine back. Source: Azure, "Scheduled Events". */
const PREEMPTION_NOTICE_MS = 30_000;

/** Conditions after which a node of AKS is given up. */
export const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', conditionStatus: 'False', tolerationMs: TEN_MINUTES },
  { conditionType: 'Ready', conditionStatus: 'Unknown', tolerationMs: TEN_MINUTES },
  { conditionType: 'kubernetes.azure.com/NodeHealthy', conditionStatus: 'False', tolerationMs: 0 },
  { conditionType: 'PreemptionScheduled', conditionStatus: 'True', tolerationMs: 0, noticeMs: PREEMPTION_NOTICE_MS },
];
