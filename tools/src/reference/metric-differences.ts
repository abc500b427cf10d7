const AS_HISTOGRAM = 'a histogram where the original has a summary, so that replicas can be added up; `_sum` and `_count` are the same';
const SINCE_SCHEDULABLE = 'counts from when a plan first had a place for the pod; here every duration of a pod counts from its creation';

/** Metric of the original → why it is not here, or not the same. */
export const metricDifferences: ReadonlyMap<string, string> = new Map([
  ['karpenter_nodes_termination_duration_seconds', AS_HISTOGRAM],
  ['karpenter_pods_startup_duration_seconds', AS_HISTOGRAM],
  ['karpenter_nodepools_cost_tracker_errors_total', 'cost is summed from prices and nodes every 30 s: no tracker can go wrong'],
  ['karpenter_pods_provisioning_bound_duration_seconds', SINCE_SCHEDULABLE],
  ['karpenter_pods_provisioning_startup_duration_seconds', SINCE_SCHEDULABLE],
  ['karpenter_pods_provisioning_unbound_time_seconds', SINCE_SCHEDULABLE],
  ['karpenter_pods_provisioning_unstarted_time_seconds', SINCE_SCHEDULABLE],
  [
    'karpenter_pods_provisioning_scheduling_undecided_time_seconds',
    'a plan decides on every pending pod: `karpenter_scheduler_scheduling_duration_seconds` says how long it takes',
  ],
  ['karpenter_pods_scheduling_decision_duration_seconds', 'the same'],
  ['karpenter_scheduler_queue_depth', 'a plan has no queue that drains pod by pod, and `scheduling_id` would make a series of every plan'],
  ['karpenter_scheduler_unfinished_work_seconds', 'the same'],
  [
    'karpenter_scheduler_pending_pods_by_effective_zone_count',
    'zones of pods are searched, not derived beforehand; `karpenter_pods_unbound_time_seconds` names the pods that wait',
  ],
  ...[
    ...['status_condition_count', 'status_condition_current_status_seconds', 'status_condition_transition_seconds'],
    ...['status_condition_transitions_total', 'termination_current_time_seconds', 'termination_duration_seconds'],
  ].map((name) => [`operator_${name}`, 'deprecated in the original: the names with a kind say the same'] as const),
  ['karpenter_voluntary_disruption_consolidation_timeouts_total', 'consolidation has no timeout: it goes on where its last pass left off'],
]);
