/** A metric of the Go original: what it is and what it is labelled with. */
export interface OriginalMetric {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labelNames: readonly string[];
}

const CALL = 'controller method provider';
const DISRUPTED = 'reason nodepool capacity_type consolidation_policy termination_mode';
const DECISION = 'decision reason consolidation_type';
const WEIGHED = 'decision nodepool policy';
const WELL_KNOWN = 'nodepool zone region instance_type arch os capacity_type windows_build';
const NODE = `node_name phase managed ${WELL_KNOWN}`;
const POD = 'name namespace';
const POD_STATE = `${POD} owner node scheduled nodepool zone arch capacity_type instance_type phase ready managed`;
const PLAN = 'controller scheduling_id';

type Row = readonly [name: string, type: OriginalMetric['type'], labelNames: string];

const karpenter: readonly Row[] = [
  ['build_info', 'gauge', 'version goversion goarch commit'],
  ['cloudprovider_duration_seconds', 'histogram', CALL],
  ['cloudprovider_errors_total', 'counter', `${CALL} error`],
  ['cluster_state_node_count', 'gauge', ''],
  ['cluster_state_synced', 'gauge', ''],
  ['cluster_state_unsynced_time_seconds', 'gauge', ''],
  ['cluster_utilization_percent', 'gauge', 'resource_type'],
  ['consolidation_score', 'histogram', WEIGHED],
  ['consolidation_moves_total', 'counter', WEIGHED],
  ['nodeclaims_created_total', 'counter', 'reason nodepool min_values_relaxed'],
  ['nodeclaims_terminated_total', 'counter', 'nodepool capacity_type zone'],
  ['nodeclaims_disrupted_total', 'counter', DISRUPTED],
  ['nodeclaims_unhealthy_disrupted_total', 'counter', 'condition nodepool capacity_type image_id'],
  ['nodeclaims_instance_termination_duration_seconds', 'histogram', 'nodepool'],
  ['nodeclaims_termination_duration_seconds', 'histogram', 'nodepool'],
  ['nodes_created_total', 'counter', 'nodepool zone'],
  ['nodes_terminated_total', 'counter', 'nodepool zone'],
  ['nodes_termination_duration_seconds', 'summary', 'nodepool'],
  ['nodes_drained_total', 'counter', 'nodepool'],
  ['nodes_lifetime_duration_seconds', 'histogram', 'nodepool'],
  ['nodes_allocatable', 'gauge', `resource_type ${NODE}`],
  ['nodes_total_pod_requests', 'gauge', `resource_type ${NODE}`],
  ['nodes_total_pod_limits', 'gauge', `resource_type ${NODE}`],
  ['nodes_total_daemon_requests', 'gauge', `resource_type ${NODE}`],
  ['nodes_total_daemon_limits', 'gauge', `resource_type ${NODE}`],
  ['nodes_system_overhead', 'gauge', `resource_type ${NODE}`],
  ['nodes_current_lifetime_seconds', 'gauge', NODE],
  ['nodepools_limit', 'gauge', 'resource_type nodepool'],
  ['nodepools_usage', 'gauge', 'resource_type nodepool'],
  ['nodepools_cost_total', 'gauge', 'nodepool'],
  ['nodepools_cost_tracker_errors_total', 'counter', 'nodepool'],
  ['nodepools_allowed_disruptions', 'gauge', 'nodepool reason'],
  ['nodepools_nodes_consuming_budgets', 'gauge', 'nodepool reason'],
  ['pods_state', 'gauge', POD_STATE],
  ['pods_startup_duration_seconds', 'summary', ''],
  ['pods_bound_duration_seconds', 'histogram', ''],
  ['pods_provisioning_bound_duration_seconds', 'histogram', ''],
  ['pods_provisioning_startup_duration_seconds', 'histogram', ''],
  ['pods_unstarted_time_seconds', 'gauge', POD],
  ['pods_unbound_time_seconds', 'gauge', POD],
  ['pods_provisioning_unbound_time_seconds', 'gauge', POD],
  ['pods_provisioning_unstarted_time_seconds', 'gauge', POD],
  ['pods_provisioning_scheduling_undecided_time_seconds', 'gauge', POD],
  ['pods_scheduling_decision_duration_seconds', 'histogram', ''],
  ['pods_eviction_requests_total', 'counter', 'code'],
  ['pods_drained_total', 'counter', 'reason'],
  ['pods_disruption_initiated_total', 'counter', DISRUPTED],
  ['scheduler_scheduling_duration_seconds', 'histogram', 'controller'],
  ['scheduler_queue_depth', 'gauge', PLAN],
  ['scheduler_unfinished_work_seconds', 'gauge', PLAN],
  ['scheduler_ignored_pods_count', 'gauge', ''],
  ['scheduler_unschedulable_pods_count', 'gauge', 'controller'],
  ['scheduler_pending_pods_by_effective_zone_count', 'gauge', 'controller zone'],
  ['voluntary_disruption_decision_evaluation_duration_seconds', 'histogram', 'reason consolidation_type'],
  ['voluntary_disruption_decisions_total', 'counter', DECISION],
  ['voluntary_disruption_decisions_by_nodepool_total', 'counter', `nodepool ${DECISION}`],
  ['voluntary_disruption_eligible_nodes', 'gauge', 'reason'],
  ['voluntary_disruption_consolidation_timeouts_total', 'counter', 'consolidation_type'],
  ['voluntary_disruption_failed_validations_total', 'counter', 'consolidation_type'],
  ['voluntary_disruption_queue_failures_total', 'counter', DECISION],
];

const LAUNCH = 'image size zone capacity_type nodepool';

/** Of its provider for Azure. */
const azure: readonly Row[] = [
  ['instance_vm_create_start_total', 'counter', LAUNCH],
  ['instance_vm_create_failure_total', 'counter', `${LAUNCH} phase error_code`],
  ['image_selection_error_count', 'counter', 'family'],
];

const CONDITION = 'namespace name type status reason';

/** `prefix`: of the kind, or none for the names without a kind. `of`: further labels. */
const operatorOf = (prefix: string, of: string): readonly Row[] => [
  [`${prefix}status_condition_transition_seconds`, 'histogram', `type status ${of}`],
  [`${prefix}status_condition_count`, 'gauge', `${CONDITION} ${of}`],
  [`${prefix}status_condition_current_status_seconds`, 'gauge', `${CONDITION} ${of}`],
  [`${prefix}status_condition_transitions_total`, 'counter', `type status reason ${of}`],
  [`${prefix}termination_current_time_seconds`, 'gauge', `namespace name ${of}`],
  [`${prefix}termination_duration_seconds`, 'histogram', of],
];

const OF_CLAIM = 'karpenter_azure_com_aksnodeclass karpenter_sh_nodepool';

const entriesOf = (prefix: string, rows: readonly Row[]): readonly (readonly [string, OriginalMetric])[] =>
  rows.map(([name, type, labelNames]) => [
    `${prefix}_${name}`,
    { type, labelNames: labelNames.split(' ').filter((label) => label !== '') },
  ]);

/**
 * Name → metric of the Go original, without its runtime's. Node metrics are labelled with what is well known in every
 * cloud; providers add to it. Source: Azure/karpenter-provider-azure, `pkg/providers/instance/metrics.go`;
 * sigs.k8s.io/karpenter 1.14, `pkg/metrics`, `pkg/controllers/metrics` and the `metrics.go` of its controllers;
 * awslabs/operatorpkg. Names and labels but those of its Azure provider were compared with a scrape of 1.14.1.
 */
export const originalMetrics: ReadonlyMap<string, OriginalMetric> = new Map([
  ...entriesOf('karpenter', [...karpenter, ...azure]),
  ...entriesOf('operator', [
    ...operatorOf('nodeclaim_', OF_CLAIM),
    ...operatorOf('node_', `${OF_CLAIM} karpenter_sh_initialized`),
    ...['nodepool_', 'aksnodeclass_', 'capacitybuffer_'].flatMap((prefix) => operatorOf(prefix, '')),
    ...operatorOf('', 'group kind'),
  ]),
]);
