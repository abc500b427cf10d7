import { hostname } from 'node:os';
import { type CloudProvider, defaultSchedulingPolicy, type SchedulingPolicy } from '@karpenter/core';
import {
  createKarpenter,
  followKinds,
  type Karpenter,
  karpenterKinds,
  type KarpenterOptions,
  type Metrics,
} from '@karpenter/core/controllers';
import type { DecisionReporter, FollowChoice, FollowedKinds, PlanMarks, TopologySpreadConstraint } from '@karpenter/core/internal';
import {
  type Clock,
  type ClusterConnection,
  createEventRecorder,
  createKubeClient,
  createLeaderElector,
  createManager,
  createRuntimeMetrics,
  createTransport,
  kindTable,
  type KubeClient,
  type LeaderElector,
  leaseKind,
  type Logger,
  type Manager,
  reportSafely,
  type RuntimeMetrics,
  serverClock,
  type Transport,
  urgently,
} from '@karpenter/runtime';
import type { DashboardOptions } from '@karpenter/dashboard';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import manifest from '../package.json' with { type: 'json' };
import { readingFromCaches } from './cached-reads.ts';
import { type HeapUse, watchHeap } from './heap-use.ts';
import { listMarks } from './list-marks.ts';
import { prometheusMetrics } from './prometheus.ts';
import { serverVersionOf } from './server-version.ts';
import { SlicedRegistry } from './sliced-registry.ts';
import type { ConfiguredPlugin } from './plugin/configured-plugin.ts';
import type { Settings } from './settings/options.ts';

export interface ControllerOptions {
  readonly connection: ClusterConnection;
  readonly settings: Settings;
  /** For pods that have no topology spread of their own. Empty: none. */
  readonly defaultSpread: readonly TopologySpreadConstraint[];
  readonly plugin: ConfiguredPlugin;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when the state of the process can no longer be trusted: it should end. */
  readonly onFatal: (error: unknown, part: string) => void;
  /** Where a running plan is noted for the next process. */
  readonly planMarks?: PlanMarks;
  /** Where lists under way are noted for the next process. */
  readonly listMarks?: PlanMarks;
  /** Receives each decision too. */
  readonly reporter?: DecisionReporter;
  /** Called after a bug of a reconcile was counted and logged; for tests. */
  readonly onBug?: (error: unknown, controller: string) => void;
}

/** The controller, wired and not yet running. */
export interface AssembledController {
  readonly client: KubeClient;
  readonly registry: Registry;
  readonly manager: Manager;
  /** What a dashboard reads. */
  readonly dashboard: DashboardOptions['source'];
  /** Prepares the provider. Call it before the manager runs. */
  start(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const policyOf = (
  { settings, defaultSpread }: ControllerOptions,
  { labelCatalog, unsupportedVolumes }: CloudProvider,
): SchedulingPolicy => ({
  ...defaultSchedulingPolicy,
  labelCatalog,
  ...(unsupportedVolumes && { unsupportedVolumes }),
  preferences: settings.preferencePolicy,
  preferencePricePerHour: settings.preferencePrice,
  nodePricePerHour: settings.nodePrice,
  movePricePerHour: settings.movePrice,
  minValues: settings.minValuesPolicy,
  usesReservations: settings.featureGates.reservedCapacity,
  defaultSpread,
});

const karpenterOptionsOf = ({ initializationTimeoutMs, featureGates, clusterLimits, ...settings }: Settings): KarpenterOptions => ({
  batchIdleMs: settings.batchIdleMs,
  batchMaxMs: settings.batchMaxMs,
  showsObjects: !settings.disableClusterStateObservability,
  initializationMs: initializationTimeoutMs === 0 ? Number.POSITIVE_INFINITY : initializationTimeoutMs,
  spotToSpot: featureGates.spotToSpotConsolidation,
  nodeRepair: featureGates.nodeRepair,
  staticCapacity: featureGates.staticCapacity,
  podNomination: featureGates.podNomination,
  clusterLimits: Object.keys(clusterLimits).length === 0 ? undefined : clusterLimits,
});

const electorOf = (
  { settings, connection, clock, logger }: ControllerOptions,
  transport: Transport,
  leadership: RuntimeMetrics['leadership'],
): LeaderElector | undefined => {
  if (settings.disableLeaderElection) return undefined;
  const name = settings.leaderElectionName;
  const namespace = settings.leaderElectionNamespace || (connection.namespace ?? 'kube-system');
  const identity = `${hostname()}_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  // A lease that waited behind thousands of other requests would be lost.
  const client = createKubeClient(urgently(transport), kindTable([leaseKind]));
  return createLeaderElector({ client, clock, logger, identity, lease: { namespace, name }, onLeadership: leadership(name) });
};

/** The use of the heap, shown as a metric. */
const measuredHeap = (metrics: Metrics): HeapUse => {
  const heap = watchHeap();
  metrics.gauge(
    {
      name: 'karpenter_heap_used_ratio',
      help: 'Share of the heap limit in use after the last full collection. Beyond 0.8 plans are made in smaller portions.',
      labelNames: [],
    },
    () => [{ labels: {}, value: heap.ratio() }],
  );
  return heap;
};

/**
 * Metrics in the registry. One shows which build runs, under the original's name and labels: `goversion` holds the
 * version of Node.js.
 */
const metricsIn = (registry: Registry): Metrics => {
  const metrics = prometheusMetrics(registry);
  const build = metrics.gauge({
    name: 'karpenter_build_info',
    help: 'A metric with a constant value of 1, labeled by the version of Karpenter and of Node.js.',
    labelNames: ['version', 'goversion', 'goarch', 'commit'],
  });
  build.set(1, { version: manifest.version, goversion: process.version, goarch: process.arch, commit: '' });
  return metrics;
};

interface DashboardParts extends Pick<DashboardOptions['source'], 'policy'> {
  readonly caches: FollowedKinds['caches'];
  readonly clock: Clock;
  readonly elector: LeaderElector | undefined;
  readonly provider: CloudProvider;
  readonly state: Karpenter['state'];
}

const dashboardSource = ({ policy, caches, clock, elector, provider, state }: DashboardParts): DashboardOptions['source'] => ({
  policy,
  snapshot: () => state.snapshot(clock.now()),
  createdAt: ({ name, claim }) => (caches.nodes.get({ name })?.metadata ?? claim?.metadata)?.creationTimestamp,
  isLeader: () => elector?.isLeader() ?? true,
  instanceTypes: (nodePool, signal) => provider.getInstanceTypes(nodePool, { signal }),
});

const followChoiceOf = ({ settings, defaultSpread }: ControllerOptions): FollowChoice => ({
  overlays: settings.featureGates.nodeOverlay,
  rebalancePlans: settings.featureGates.rebalancePlan,
  buffers: settings.featureGates.capacityBuffer,
  podGroups: true,
  devices: !settings.ignoreDraRequests,
  podSelectors: defaultSpread.length > 0,
});

/** The transport, and a clock that follows the time that its answers state. */
const connect = (
  { connection, settings, clock: machine, logger }: ControllerOptions,
  onRequest: RuntimeMetrics['onRequest'],
): { readonly transport: Transport; readonly clock: Clock } => {
  const clock = serverClock(machine, (byMs) => logger.warn('the clock of the API server counts, which differs from ours', { byMs }));
  const { noteDate: onDate } = clock;
  const { kubeClientQps: qps, kubeClientBurst: burst } = settings;
  const transport = createTransport(connection, { clock: machine, qps, burst, userAgent: 'karpenter', onRequest, onDate });
  return { transport, clock };
};

/** Puts a controller together: transport, client, caches, provider, Karpenter, election, manager. */
export const assembleController = (options: ControllerOptions): AssembledController => {
  const { connection, settings, plugin, logger, planMarks, reporter, onFatal, onBug } = options;
  const registry = new SlicedRegistry(logger);
  // Processor, memory and event loop of the process: `process_*` as every exporter names them, `nodejs_*`.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const { onRequest, controllers: loopMetrics, leadership } = createRuntimeMetrics(registry);
  const countBug = (error: unknown, where: string): void => {
    reportSafely({ logger, about: { where } }, () => loopMetrics.bug(where));
    onBug?.(error, where);
  };
  const { transport, clock } = connect(options, onRequest);
  const lists = options.listMarks && listMarks(options.listMarks, options);
  const client = createKubeClient(transport, kindTable([...karpenterKinds, ...plugin.kinds]), lists);
  const source = { client, clock, logger, onBug: countBug, ...(lists && { onList: lists.onList }) };
  const { caches, all, whole } = followKinds(source, plugin.nodeClassKinds, followChoiceOf(options));
  const events = createEventRecorder({ client, clock, logger, component: 'karpenter', instance: hostname() });
  const metrics = metricsIn(registry);
  const shared = { kube: client, clock, events, metrics, logger };
  const caBundle = Buffer.from(connection.tls.ca ?? '').toString('base64');
  const kube = readingFromCaches(client, whole);
  const parts = plugin.create({ ...shared, kube, caBundle, serverVersion: (signal) => serverVersionOf(transport, signal) });
  const heap = measuredHeap(metrics);
  const { provider } = parts;
  const policy = policyOf(options, provider);
  const karpenter = createKarpenter({
    ...shared,
    ...{ memoryUse: heap.ratio, onBug: countBug },
    ...(planMarks && { planMarks }),
    ...(reporter && { reporter }),
    ...{ caches, provider, policy },
    options: karpenterOptionsOf(settings),
  });
  const elector = electorOf(options, transport, leadership);
  const manager = createManager({
    ...{ caches: all, clock: options.clock, logger, metrics: loopMetrics, onFatal },
    ...(onBug && { onBug }),
    controllers: [...karpenter.controllers, ...parts.controllers],
    singletons: [...karpenter.singletons, ...parts.singletons],
    ...(elector ? { elector } : {}),
  });
  return {
    ...{ client, registry, manager },
    dashboard: dashboardSource({ policy, caches, clock, elector, provider, state: karpenter.state }),
    start: (signal) => parts.start(signal),
    close: async () => {
      heap[Symbol.dispose]();
      await transport.close();
    },
  };
};
