import { annotations, labels } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { durationMs } from '../../../base/index.ts';
import type { MetricLabels, Metrics } from '../../../ports/index.ts';

const labelOf = (claim: NodeClaim | undefined, key: string): string => claim?.metadata.labels?.[key] ?? '';

export const nodePoolOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.nodePool);
export const zoneOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.zone);
export const capacityTypeOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.capacityType);

/** `true` when the claim was allowed fewer instance types than its pool asked for. */
export const minValuesRelaxedOf = ({ metadata }: NodeClaim): string => metadata.annotations?.[annotations.minValuesRelaxed] ?? 'false';

const terminationModeOf = ({ spec: { terminationGracePeriod } }: NodeClaim): string => {
  if (terminationGracePeriod === undefined) return 'graceful';
  return (durationMs(terminationGracePeriod) ?? 0) <= 0 ? 'forceful' : 'eventual';
};

/** `WhenEmptyOrUnderutilized` → `when_empty_or_underutilized`. Source: the original's `pretty.ToSnakeCase`. */
export const snakeCase = (text: string): string =>
  text
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** Of the reasons why a claim goes, those of consolidation: only they have a policy. */
const CONSOLIDATION_REASONS: readonly string[] = ['empty', 'underutilized'];

const policyOf = (reason: string, pool: NodePool | undefined): string =>
  CONSOLIDATION_REASONS.includes(reason) ? snakeCase(pool?.spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized') : '';

export const disruptedLabels = (claim: NodeClaim, reason: string, pool: NodePool | undefined): MetricLabels => ({
  reason,
  nodepool: nodePoolOf(claim),
  capacity_type: capacityTypeOf(claim),
  consolidation_policy: policyOf(reason, pool),
  termination_mode: terminationModeOf(claim),
});

const CONSOLIDATION_TYPES: Readonly<Record<string, string>> = {
  emptiness: 'empty',
  rebalance: 'rebalance',
  'multi-node': 'multi',
  'single-node': 'single',
};

/** The original's name for a method, and ours for a rebalance; empty for drift. */
export const consolidationTypeOf = (method: string): string => CONSOLIDATION_TYPES[method] ?? '';

/** 5 ms to 10 min. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 450, 600];
/** 15 min to 30 d. */
const LIFETIMES = [0.25, 0.5, 1, 2, 4, 8, 12, 24, 48, 120, 240, 480, 720].map((hours) => hours * 3600);

const powersOfTwo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => 2 ** index);

const DISRUPTED = ['reason', 'nodepool', 'capacity_type', 'consolidation_policy', 'termination_mode'];

const claimMetrics = (metrics: Metrics) => ({
  created: metrics.counter({
    name: 'karpenter_nodeclaims_created_total',
    help: 'Number of nodeclaims created in total by Karpenter.',
    labelNames: ['reason', 'nodepool', 'min_values_relaxed'],
  }),
  terminated: metrics.counter({
    name: 'karpenter_nodeclaims_terminated_total',
    help: 'Number of nodeclaims terminated in total by Karpenter.',
    labelNames: ['nodepool', 'capacity_type', 'zone'],
  }),
  disrupted: metrics.counter({
    name: 'karpenter_nodeclaims_disrupted_total',
    help: 'Number of nodeclaims disrupted in total by Karpenter.',
    labelNames: DISRUPTED,
  }),
  podsDisrupted: metrics.counter({
    name: 'karpenter_pods_disruption_initiated_total',
    help: 'Number of pods on nodeclaims disrupted in total by Karpenter.',
    labelNames: DISRUPTED,
  }),
  unhealthy: metrics.counter({
    name: 'karpenter_nodeclaims_unhealthy_disrupted_total',
    help: 'Number of unhealthy nodeclaims disrupted in total by Karpenter.',
    labelNames: ['condition', 'nodepool', 'capacity_type', 'image_id'],
  }),
  terminationSeconds: metrics.histogram({
    name: 'karpenter_nodeclaims_termination_duration_seconds',
    help: 'Duration of NodeClaim termination in seconds.',
    labelNames: ['nodepool'],
    buckets: powersOfTwo(12),
  }),
  machineEndSeconds: metrics.histogram({
    name: 'karpenter_nodeclaims_instance_termination_duration_seconds',
    help: 'Duration of CloudProvider Instance termination in seconds.',
    labelNames: ['nodepool'],
    buckets: powersOfTwo(11),
  }),
});

const nodeMetrics = (metrics: Metrics) => ({
  nodesCreated: metrics.counter({
    name: 'karpenter_nodes_created_total',
    help: 'Number of nodes created in total by Karpenter.',
    labelNames: ['nodepool', 'zone'],
  }),
  nodesTerminated: metrics.counter({
    name: 'karpenter_nodes_terminated_total',
    help: 'Number of nodes terminated in total by Karpenter.',
    labelNames: ['nodepool', 'zone'],
  }),
  nodesDrained: metrics.counter({
    name: 'karpenter_nodes_drained_total',
    help: 'Total number of nodes drained by Karpenter.',
    labelNames: ['nodepool'],
  }),
  nodeTerminationSeconds: metrics.histogram({
    name: 'karpenter_nodes_termination_duration_seconds',
    help: "The time taken between a node's deletion request and the removal of its finalizer.",
    labelNames: ['nodepool'],
    buckets: powersOfTwo(12),
  }),
  nodeLifetimeSeconds: metrics.histogram({
    name: 'karpenter_nodes_lifetime_duration_seconds',
    help: 'The lifetime duration of the nodes since creation.',
    labelNames: ['nodepool'],
    buckets: LIFETIMES,
  }),
  nodeCount: metrics.gauge({
    name: 'karpenter_cluster_state_node_count',
    help: 'Current count of nodes in cluster state.',
    labelNames: [],
  }),
  synced: metrics.gauge({
    name: 'karpenter_cluster_state_synced',
    help: 'Returns 1 if cluster state is synced and 0 otherwise.',
    labelNames: [],
  }),
  unsyncedSeconds: metrics.gauge({
    name: 'karpenter_cluster_state_unsynced_time_seconds',
    help: 'The time for which cluster state is not synced.',
    labelNames: [],
  }),
});

const podMetrics = (metrics: Metrics) => ({
  boundSeconds: metrics.histogram({
    name: 'karpenter_pods_bound_duration_seconds',
    help: 'The time from pod creation until the pod is bound.',
    labelNames: [],
    buckets: DURATIONS,
  }),
  startupSeconds: metrics.histogram({
    name: 'karpenter_pods_startup_duration_seconds',
    help: 'The time from pod creation until the pod is ready.',
    labelNames: [],
    buckets: DURATIONS,
  }),
  evictions: metrics.counter({
    name: 'karpenter_pods_eviction_requests_total',
    help: 'The total number of eviction requests made by Karpenter.',
    labelNames: ['code'],
  }),
  drained: metrics.counter({
    name: 'karpenter_pods_drained_total',
    help: 'The total number of pods drained during node termination by Karpenter, labeled by reason.',
    labelNames: ['reason'],
  }),
  schedulingSeconds: metrics.histogram({
    name: 'karpenter_scheduler_scheduling_duration_seconds',
    help: 'Duration of plans for pending pods in seconds.',
    labelNames: ['controller'],
    buckets: DURATIONS,
  }),
  unschedulable: metrics.gauge({
    name: 'karpenter_scheduler_unschedulable_pods_count',
    help: 'The number of unschedulable Pods.',
    labelNames: ['controller'],
  }),
});

/** Of pods that wait for a plan, and for the place that it has for them. */
const podWaitMetrics = (metrics: Metrics) => ({
  provisioningBoundSeconds: metrics.histogram({
    name: 'karpenter_pods_provisioning_bound_duration_seconds',
    help: 'The time from when a plan first had a place for the pod until the pod is bound.',
    labelNames: [],
    buckets: DURATIONS,
  }),
  provisioningStartupSeconds: metrics.histogram({
    name: 'karpenter_pods_provisioning_startup_duration_seconds',
    help: 'The time from when a plan first had a place for the pod until the pod is ready.',
    labelNames: [],
    buckets: DURATIONS,
  }),
  decisionSeconds: metrics.histogram({
    name: 'karpenter_pods_scheduling_decision_duration_seconds',
    help: 'The time from when Karpenter first saw the pod wait until a plan has decided on it.',
    labelNames: [],
    buckets: DURATIONS,
  }),
});

const planMetrics = (metrics: Metrics) => ({
  ignored: metrics.gauge({
    name: 'karpenter_scheduler_ignored_pods_count',
    help: 'Number of pods ignored during scheduling by Karpenter, because something of them cannot be read or met.',
    labelNames: [],
  }),
  plannedPods: metrics.counter({
    name: 'karpenter_scheduler_planned_pods_total',
    help: 'Pods that plans have decided on, by outcome: existing_node, new_node or rejected. A pod that is planned twice counts twice.',
    labelNames: ['outcome'],
  }),
  plannedNodes: metrics.counter({
    name: 'karpenter_scheduler_planned_nodes_total',
    help: 'New nodes that plans have asked for.',
    labelNames: [],
  }),
});

const decisionMetrics = (metrics: Metrics) => ({
  decisions: metrics.counter({
    name: 'karpenter_voluntary_disruption_decisions_total',
    help: 'Number of disruption decisions performed.',
    labelNames: ['decision', 'reason', 'consolidation_type'],
  }),
  decisionsByPool: metrics.counter({
    name: 'karpenter_voluntary_disruption_decisions_by_nodepool_total',
    help: 'Number of disruption decisions performed, for each NodePool that they take nodes of.',
    labelNames: ['nodepool', 'decision', 'reason', 'consolidation_type'],
  }),
  evaluationSeconds: metrics.histogram({
    name: 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
    help: 'Duration of the disruption decision evaluation process in seconds.',
    labelNames: ['reason', 'consolidation_type'],
    buckets: DURATIONS,
  }),
  eligibleNodes: metrics.gauge({
    name: 'karpenter_voluntary_disruption_eligible_nodes',
    help: 'Number of nodes eligible for disruption by Karpenter, by reason.',
    labelNames: ['reason'],
  }),
  failedValidations: metrics.counter({
    name: 'karpenter_voluntary_disruption_failed_validations_total',
    help: 'Number of candidates that failed validation.',
    labelNames: ['consolidation_type'],
  }),
  queueFailures: metrics.counter({
    name: 'karpenter_voluntary_disruption_queue_failures_total',
    help: 'The number of times that an enqueued disruption decision failed.',
    labelNames: ['decision', 'reason', 'consolidation_type'],
  }),
});

const WEIGHED = ['decision', 'nodepool', 'policy'];

const moveMetrics = (metrics: Metrics) => ({
  scores: metrics.histogram({
    name: 'karpenter_consolidation_score',
    help: 'Score of consolidation moves that were weighed.',
    labelNames: WEIGHED,
    buckets: [0.1, 0.25, 0.33, 0.5, 1, 2, 5, 10],
  }),
  moves: metrics.counter({
    name: 'karpenter_consolidation_moves_total',
    help: 'Number of consolidation moves that were weighed.',
    labelNames: WEIGHED,
  }),
});

/** Core's metrics, under the original's names. */
export const coreMetrics = (metrics: Metrics) => ({
  ...claimMetrics(metrics),
  ...nodeMetrics(metrics),
  ...podMetrics(metrics),
  ...podWaitMetrics(metrics),
  ...planMetrics(metrics),
  ...decisionMetrics(metrics),
  ...moveMetrics(metrics),
});

export type CoreMetrics = ReturnType<typeof coreMetrics>;
