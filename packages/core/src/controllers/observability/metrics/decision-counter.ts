import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { isReschedulable } from '../../../kube/index.ts';
import type { Pod } from '../../../kube/index.ts';
import type { CommandSummary, Decision } from '../../../ports/index.ts';
import type { CoreMetrics } from './core-metrics.ts';
import type { PodSchedulingTimes } from './lifetimes.ts';
import { capacityTypeOf, consolidationTypeOf, disruptedLabels, minValuesRelaxedOf, nodePoolOf, snakeCase, zoneOf } from './core-metrics.ts';

type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
type Counting = { readonly [K in Decision['kind']]?: (decision: Of<K>) => void };

const commandLabels = ({ decision, reason, method }: CommandSummary) => ({
  decision,
  reason: reason.toLowerCase(),
  consolidation_type: consolidationTypeOf(method),
});

/** What is known of a claim beside itself. */
export interface Surroundings {
  readonly poolOf: (claim: NodeClaim) => NodePool | undefined;
  /** Those bound to its node that have not run to their end. */
  readonly podsOf: (claim: NodeClaim) => readonly Pod[];
  readonly podTimes: PodSchedulingTimes;
}

const claimCounting = (metrics: CoreMetrics, { poolOf, podsOf }: Surroundings): Counting => ({
  'node-claim-created': ({ claim, planned, reason }) =>
    metrics.created.increment({
      reason: reason.toLowerCase(),
      nodepool: planned.nodePoolName,
      min_values_relaxed: minValuesRelaxedOf(claim),
    }),
  registered: ({ claim }) => metrics.nodesCreated.increment({ nodepool: nodePoolOf(claim), zone: zoneOf(claim) }),
  'claim-disrupted': ({ claim, reason }) => {
    const about = disruptedLabels(claim, reason, poolOf(claim));
    metrics.disrupted.increment(about);
    metrics.podsDisrupted.increment(about, podsOf(claim).filter((pod) => isReschedulable(pod)).length);
  },
  'claim-terminated': ({ claim, tookMs, machineTookMs }) => {
    if (machineTookMs !== undefined) metrics.machineEndSeconds.observe(machineTookMs / 1000, { nodepool: nodePoolOf(claim) });
    metrics.terminated.increment({ nodepool: nodePoolOf(claim), capacity_type: capacityTypeOf(claim), zone: zoneOf(claim) });
    metrics.terminationSeconds.observe(tookMs / 1000, { nodepool: nodePoolOf(claim) });
  },
  'node-unhealthy': ({ claim, condition }) =>
    metrics.unhealthy.increment({
      condition: snakeCase(condition),
      nodepool: nodePoolOf(claim),
      capacity_type: capacityTypeOf(claim),
      image_id: claim.status?.imageID ?? '',
    }),
  'node-drained': ({ claim }) => metrics.nodesDrained.increment({ nodepool: nodePoolOf(claim) }),
  'node-terminated': ({ claim, tookMs, lifetimeMs }) => {
    const nodepool = nodePoolOf(claim);
    metrics.nodesTerminated.increment({ nodepool, zone: zoneOf(claim) });
    metrics.nodeTerminationSeconds.observe(tookMs / 1000, { nodepool });
    metrics.nodeLifetimeSeconds.observe(lifetimeMs / 1000, { nodepool });
  },
});

const podsIn = (groups: Iterable<readonly unknown[]>): number => [...groups].reduce((sum, pods) => sum + pods.length, 0);

/** How many pods of a plan came to what. */
const outcomesOf = ({ placements, plannedNodes, rejections }: Of<'plan-computed'>['plan']) => ({
  existing_node: podsIn(placements.values()),
  new_node: podsIn(plannedNodes.map(({ pods }) => pods)),
  rejected: rejections.length,
});

/**
 * Differs: the original's gauge of unschedulable pods counts the virtual pods of buffers as well; here
 * `karpenter_capacity_buffers_chunks` does.
 */
const podCounting = (metrics: CoreMetrics, { podTimes }: Surroundings): Counting => ({
  'plan-computed': ({ plan, durationMs, atMs }) => {
    for (const waitedMs of podTimes.decide(plan, atMs)) metrics.decisionSeconds.observe(waitedMs / 1000);
    metrics.schedulingSeconds.observe(durationMs / 1000, { controller: 'provisioner' });
    const ignored = plan.rejections.filter(({ reason }) => reason.kind === 'invalid-pod' || reason.kind === 'opted-out').length;
    metrics.unschedulable.set(plan.rejections.length - ignored, { controller: 'provisioner' });
    metrics.ignored.set(ignored);
    for (const [outcome, count] of Object.entries(outcomesOf(plan))) metrics.plannedPods.increment({ outcome }, count);
    metrics.plannedNodes.increment({}, plan.plannedNodes.length);
  },
  'pod-bound': ({ pod, tookMs }) => {
    metrics.boundSeconds.observe(tookMs / 1000);
    const sincePlacedMs = podTimes.sincePlaced(pod, tookMs);
    if (sincePlacedMs !== undefined) metrics.provisioningBoundSeconds.observe(sincePlacedMs / 1000);
  },
  'pod-evicted': ({ reason }) => {
    metrics.evictions.increment({ code: '200' });
    metrics.drained.increment({ reason });
  },
  'pod-forced': ({ reason }) => metrics.drained.increment({ reason }),
  'eviction-blocked': ({ status }) => metrics.evictions.increment({ code: String(status) }),
  'eviction-failed': ({ status }) => metrics.evictions.increment({ code: String(status) }),
});

/**
 * Differs: the original counts as failures in the queue the replacements that are not initialized, and labels them with
 * the decision twice.
 */
const commandCounting = (metrics: CoreMetrics): Counting => ({
  'command-started': ({ command }) => {
    metrics.decisions.increment(commandLabels(command));
    for (const nodepool of new Set(command.candidates.map(({ claim }) => nodePoolOf(claim))))
      metrics.decisionsByPool.increment({ nodepool, ...commandLabels(command) });
  },
  'command-abandoned': ({ command, why }) => {
    if (why === 'timeout' || why === 'replacement-gone') metrics.queueFailures.increment(commandLabels(command));
    else metrics.failedValidations.increment({ consolidation_type: consolidationTypeOf(command.method) }, command.candidates.length);
  },
});

const evaluationCounting = (metrics: CoreMetrics): Counting => ({
  'candidates-counted': ({ eligible }) => {
    for (const [reason, count] of eligible) metrics.eligibleNodes.set(count, { reason: reason.toLowerCase() });
  },
  'method-evaluated': ({ method, reason, tookMs }) =>
    metrics.evaluationSeconds.observe(tookMs / 1000, { reason: reason.toLowerCase(), consolidation_type: consolidationTypeOf(method) }),
  'moves-weighed': ({ moves }) => {
    for (const { nodePoolName: nodepool, policy, score, isWorthIt } of moves) {
      const weighed = { decision: isWorthIt ? 'approved' : 'rejected', nodepool, policy };
      metrics.moves.increment(weighed);
      if (score !== undefined) metrics.scores.observe(score, weighed);
    }
  },
});

/** Counts each decision in the metrics it concerns. */
export const decisionCounter = (metrics: CoreMetrics, around: Surroundings): ((decision: Decision) => void) => {
  const counting = {
    ...claimCounting(metrics, around),
    ...podCounting(metrics, around),
    ...commandCounting(metrics),
    ...evaluationCounting(metrics),
  };
  return (decision) => {
    // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
    (counting[decision.kind] as ((decision: Decision) => void) | undefined)?.(decision);
  };
};
