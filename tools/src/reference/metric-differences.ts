const AS_HISTOGRAM = 'a histogram where the original has a summary, so that replicas can be added up; `_sum` and `_count` are the same';

/** Metric of the original → why it is not here, or not the same. */
export const metricDifferences: ReadonlyMap<string, string> = new Map([
  ['karpenter_nodes_termination_duration_seconds', AS_HISTOGRAM],
  ['karpenter_pods_startup_duration_seconds', AS_HISTOGRAM],
  ['karpenter_nodepools_cost_tracker_errors_total', 'cost is summed from prices and nodes every 30 s: no tracker can go wrong'],
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
