import { reportSafely } from '@karpenter/runtime';
import type { Controller, SingletonController } from '@karpenter/runtime';
import { PodNominations } from '../actions/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import type { Caches, Clock, DecisionReporter, EventRecording, Kube, Logger, Metrics } from '../ports/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import type { SchedulingPolicy } from '../scheduling/index.ts';
import { ClusterState } from '../state/index.ts';
import type { BugSink } from '../state/index.ts';
import { MemoryWatch } from './shell.ts';
import type { Decisions, Shell } from './shell.ts';
import { capacityBuffer } from './capacity-buffer/capacity-buffer.ts';
import { CommandRuns } from './disruption/command-runs.ts';
import { commandQueue } from './disruption/command-queue.ts';
import { disruption } from './disruption/disruption.ts';
import { Isolation } from './isolation/isolation.ts';
import { PlanGuard } from './isolation/plan-guard.ts';
import type { PlanMarks } from './isolation/suspects.ts';
import { conditions } from './nodeclaim/conditions.ts';
import { consistency } from './nodeclaim/consistency.ts';
import { unansweredCreates } from './nodeclaim/unanswered-creates.ts';
import { expiration } from './nodeclaim/expiration.ts';
import { garbageCollection } from './nodeclaim/garbage-collection/garbage-collection.ts';
import { lifecycle } from './nodeclaim/lifecycle/lifecycle.ts';
import { podEvents } from './nodeclaim/pod-events.ts';
import { withOverlays } from './nodeoverlay/overlaid-provider.ts';
import { counter } from './nodepool/counter.ts';
import { hash } from './nodepool/hash.ts';
import { instanceTypes } from './nodepool/instance-types.ts';
import { readiness } from './nodepool/readiness.ts';
import { validation } from './nodepool/validation.ts';
import { registrationHealth } from './nodepool/registration-health.ts';
import { health } from './node/health.ts';
import { interruption } from './node/interruption.ts';
import { claimHydration, nodeHydration } from './node/hydration.ts';
import { termination } from './node/termination/termination.ts';
import { nomination } from './nomination/nomination.ts';
import { costMetrics } from './observability/gauges/pool-gauges.ts';
import { createDecisionReporter } from './observability/decision-reporter.ts';
import { PodSchedulingTimes } from './observability/metrics/lifetimes.ts';
import { stateMetrics } from './observability/gauges/state-metrics.ts';
import { statusConditions } from './observability/metrics/status-conditions.ts';
import { measuredProvider, timeLimitedProvider } from './provider-wrappers/provider-wrappers.ts';
import { provisioning } from './provisioning/provisioning.ts';
import { pureDecisions } from './shell.ts';
import { staticDeprovisioning, staticProvisioning } from './static-capacity/static-capacity.ts';

/** How the controllers work; each member has a default. */
export interface KarpenterOptions {
  /** Default 1 s. */
  readonly batchIdleMs?: number;
  /** Default 10 s. */
  readonly batchMaxMs?: number;
  /** Longest solve of one batch. Default 1 min. */
  readonly solveMs?: number;
  /** Longest time that each method of disruption takes in one pass. Default 1 min. */
  readonly disruptionPassMs?: number;
  /** How long an opportunity to consolidate must last. Default 15 s. */
  readonly validationMs?: number;
  /** Whether a spot node may be replaced by a cheaper spot node. Default false. */
  readonly spotToSpot?: boolean;
  /** How long a registered node may take to initialize before it is deleted; Infinity: for ever. Default 1 h. */
  readonly initializationMs?: number;
  /** Whether nodes that are unhealthy by the provider's `repairPolicies` are deleted. Default false. */
  readonly nodeRepair?: boolean;
  /**
   * Whether there are metrics per object: conditions of claims, pools and nodes, ages of nodes, resources of nodes and
   * requests of pods. Default true.
   */
  readonly showsObjects?: boolean;
  /** Whether pools with `replicas` are kept at that many nodes. Default false. */
  readonly staticCapacity?: boolean;
  /** Whether nominations are written to pods for kube-scheduler (`status.nominatedNodeName`). Default false. */
  readonly podNomination?: boolean;
  /**
   * What the nodes of all NodePools may have together, in the units of `Resources` (cpu in thousandths). Default: no limit.
   */
  readonly clusterLimits?: Resources | undefined;
}

/** What Karpenter needs of the world. */
export interface KarpenterDeps {
  readonly kube: Kube;
  /** Must not run yet: state follows them from the first object on. */
  readonly caches: Caches;
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly events: EventRecording;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly policy: SchedulingPolicy;
  readonly options?: KarpenterOptions;
  /** Receives each decision too, in addition to logs, metrics and events. */
  readonly reporter?: DecisionReporter;
  /** Where a running plan is noted for the next process. Without it a plan that ends the process is tried again as a whole. */
  readonly planMarks?: PlanMarks;
  /** How much of its memory the process uses, from 0 to 1. Beyond 0.8 plans are made in smaller portions. Default: none. */
  readonly memoryUse?: () => number;
  /** Receives each bug that is contained outside of the loops of controllers, beside its event. */
  readonly onBug?: BugSink;
  /** The pure half; a test may replace it. */
  readonly decisions?: Decisions;
}

/** Everything that runs, for the manager. Only the leader runs it. */
export interface Karpenter {
  readonly state: ClusterState;
  readonly controllers: readonly Controller[];
  readonly singletons: readonly SingletonController[];
}

const noMarks: PlanMarks = { read: () => undefined, write: () => true, clear: () => true };

/** Reports to both. The second is not ours: what it throws is logged. */
const both = (one: DecisionReporter, other: DecisionReporter | undefined, logger: Logger): DecisionReporter => ({
  report(decision) {
    one.report(decision);
    reportSafely({ logger, about: { decision: decision.kind } }, () => other?.report(decision));
  },
});

/** Metrics whose series leave a mark while they are read. */
const markedMetrics = (metrics: Metrics, planGuard: () => PlanGuard): Metrics => ({
  counter: (spec) => metrics.counter(spec),
  histogram: (spec) => metrics.histogram(spec),
  gauge: (spec, read) => metrics.gauge(spec, read && (() => planGuard().series(read))),
});

interface ShellSource extends KarpenterDeps {
  readonly podTimes: PodSchedulingTimes;
}

const shellOf = (deps: ShellSource, provider: CloudProvider, options: KarpenterOptions): Shell => {
  const { batchMaxMs = 10_000, podNomination = false, clusterLimits } = options;
  const { kube, caches, clock, events } = deps;
  const podsOn = (nodeName: string): readonly Pod[] => state.podsOn(nodeName);
  const reporter = both(createDecisionReporter({ ...deps, podsOn }), deps.reporter, deps.logger);
  const nominationMs = Math.max(2 * batchMaxMs, 10_000);
  const state: ClusterState = new ClusterState({
    ...{ caches, provider, clock, reporter, nominationMs, clusterLimits },
    onBug: deps.onBug,
  });
  state.onPodTransition((transition) => {
    if (transition.kind === 'bound') reporter.report({ kind: 'pod-bound', pod: transition.pod, tookMs: transition.tookMs });
  });
  const { planMarks: marks = noMarks, memoryUse = () => 0 } = deps;
  const isolation = new Isolation({ clock, reporter });
  const planGuard: PlanGuard = new PlanGuard({ clock, reporter, marks });
  const memory = new MemoryWatch({ memoryUse, reporter });
  const shell = { kube, caches, provider, clock, events, reporter, state, isolation, planGuard, memory };
  return podNomination ? { ...shell, podNominations: new PodNominations(shell) } : shell;
};

/** The controllers that reconcile objects of a kind. */
const objectControllers = (
  shell: Shell,
  policy: SchedulingPolicy,
  { initializationMs = 3_600_000 }: KarpenterOptions,
): readonly Controller[] => [
  lifecycle(shell, { initializationMs }),
  expiration(shell),
  conditions(shell),
  podEvents(shell),
  consistency(shell),
  claimHydration(shell),
  nodeHydration(shell),
  termination(shell),
  ...(shell.provider.interruptionOf === undefined ? [] : [interruption(shell)]),
  hash(shell),
  readiness(shell),
  registrationHealth(shell),
  validation(shell),
  instanceTypes(shell, policy),
  counter(shell),
];

/** The controllers behind feature gates that are on. */
const gatedControllers = (shell: Shell, policy: SchedulingPolicy, options: KarpenterOptions): readonly Controller[] => {
  const { nodeRepair = false, staticCapacity = false } = options;
  return [
    ...(nodeRepair && shell.provider.repairPolicies.length > 0 ? [health(shell)] : []),
    ...(shell.caches.capacityBuffers === undefined ? [] : [capacityBuffer(shell)]),
    ...(staticCapacity ? [staticProvisioning(shell, policy), staticDeprovisioning(shell)] : []),
  ];
};

/**
 * Wires Karpenter: the state that follows the caches, and the controllers that act on it. Nothing runs until a manager
 * runs it, and no request is made before. Two of them in one process share no state. The provider is wrapped: its calls
 * are measured and have a time limit, and NodeOverlays change its types if their cache is there.
 */
export const createKarpenter = (deps: KarpenterDeps): Karpenter => {
  const { policy, decisions = pureDecisions, options = {} } = deps;
  const { batchIdleMs = 1000, batchMaxMs = 10_000, solveMs = 60_000 } = options;
  const { disruptionPassMs = 60_000, validationMs = 15_000, spotToSpot = false } = options;
  const showsObjects = options.showsObjects !== false;
  const overlays = withOverlays(timeLimitedProvider(measuredProvider(deps.provider, deps), deps.clock), deps);
  const podTimes = new PodSchedulingTimes();
  const metrics = markedMetrics(deps.metrics, () => shell.planGuard);
  const shell: Shell = shellOf({ ...deps, metrics, podTimes }, overlays.provider, options);
  const disrupting = {
    shell,
    decisions,
    runs: new CommandRuns(shell.state),
    options: { policy, spotToSpot, passMs: disruptionPassMs, validationMs },
  };
  return {
    state: shell.state,
    controllers: [
      ...objectControllers(shell, policy, options),
      ...gatedControllers(shell, policy, options),
      ...overlays.controllers(shell),
    ],
    singletons: [
      provisioning(shell, decisions, { policy, batchIdleMs, batchMaxMs, solveMs }),
      disruption(disrupting),
      commandQueue(disrupting),
      unansweredCreates(shell),
      garbageCollection(shell),
      ...(shell.podNominations === undefined ? [] : [nomination(shell, shell.podNominations)]),
      stateMetrics({ ...shell, podTimes }, { metrics, showsNodes: showsObjects }),
      costMetrics(shell, metrics),
      statusConditions(shell, { metrics, showsObjects }),
    ],
  };
};
