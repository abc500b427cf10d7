import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import { labels } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf, isTerminal, namespaceOf } from '../../../kube/index.ts';
import type { Node, Pod } from '../../../kube/index.ts';
import type { Metrics, Reading } from '../../../ports/index.ts';
import type { BufferRoom } from '../../../state/index.ts';
import type { CapacityBuffer } from '../../../apis/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { coreMetrics } from '../metrics/core-metrics.ts';
import { nodeGauges } from './node-gauges.ts';
import { nodeLifetimes, PodStarts } from '../metrics/lifetimes.ts';
import type { PodSchedulingTimes } from '../metrics/lifetimes.ts';
import { nodeSeries } from './object-gauges.ts';
import { podGauges } from './pod-gauges.ts';
import { poolGauges } from './pool-gauges.ts';

/** The nodes as they are now, and the time. */
interface TerminationSource {
  readonly nodes: () => readonly Node[];
  readonly nowMs: () => number;
}

/** NodePool → for how long its oldest terminating node has been terminating, in seconds. */
const oldestByPool = ({ nodes, nowMs }: TerminationSource): ReadonlyMap<string, number> => {
  const oldest = new Map<string, number>();
  for (const { metadata } of nodes()) {
    const sinceMs = epochMsOf(metadata.deletionTimestamp);
    const nodePool = metadata.labels?.[labels.nodePool];
    if (sinceMs === undefined || nodePool === undefined) continue;
    oldest.set(nodePool, Math.max(oldest.get(nodePool) ?? 0, (nowMs() - sinceMs) / 1000));
  }
  return oldest;
};

/**
 * Shows of each pool with terminating nodes how long the oldest has been at it. A drain that hangs is in no histogram
 * until it ends.
 */
export const terminationGauge = (metrics: Metrics, source: TerminationSource): void => {
  metrics.gauge(
    {
      name: 'karpenter_nodes_oldest_termination_seconds',
      help: 'For how long the node of a NodePool that was deleted first has been terminating. No series where none is.',
      labelNames: ['nodepool'],
    },
    () => [...oldestByPool(source)].map(([nodepool, value]) => ({ labels: { nodepool }, value })),
  );
};

/** What the gauges of CapacityBuffers are read from. */
interface BufferSourceOfGauges {
  readonly buffers: () => readonly CapacityBuffer[];
  readonly chunksOf: (buffer: CapacityBuffer) => number;
  readonly roomOf: (buffer: CapacityBuffer) => BufferRoom | undefined;
}

const BUFFER = ['namespace', 'name'];

/** Gauges with series for each CapacityBuffer: how many chunks there is room for, and what it costs. */
const bufferGauges = (metrics: Metrics, { buffers, chunksOf, roomOf }: BufferSourceOfGauges): void => {
  const readings = function* (valuesOf: (buffer: CapacityBuffer) => Readonly<Record<string, number>>, label: string): Iterable<Reading> {
    for (const buffer of buffers()) {
      const named = { namespace: namespaceOf(buffer), name: buffer.metadata.name };
      for (const [key, value] of Object.entries(valuesOf(buffer)))
        yield { labels: { ...named, ...(label === '' ? {} : { [label]: key }) }, value };
    }
  };
  const chunks = (buffer: CapacityBuffer): Readonly<Record<string, number>> => {
    const { ready = 0, arriving = 0, onNewNodes = 0, failed = 0 } = roomOf(buffer) ?? {};
    return { wanted: chunksOf(buffer), ready, arriving: arriving + onNewNodes, failed };
  };
  metrics.gauge(
    {
      name: 'karpenter_capacity_buffers_chunks',
      help: 'The number of chunks of a CapacityBuffer: wanted, and of these ready on nodes that are up, arriving on nodes that come, and failed.',
      labelNames: [...BUFFER, 'state'],
    },
    () => readings(chunks, 'state'),
  );
  metrics.gauge(
    {
      name: 'karpenter_capacity_buffers_price_per_hour',
      help: 'What the room of a CapacityBuffer costs an hour, in the currency of the prices.',
      labelNames: BUFFER,
    },
    () => readings((buffer) => ({ '': roomOf(buffer)?.pricePerHour ?? 0 }), ''),
  );
};

const PERIOD_MS = 5000;

/** What the metrics are read from. */
export interface Observed extends Pick<Shell, 'state' | 'clock' | 'caches' | 'provider'> {
  /** Shared with the reporter, which takes in plans. */
  readonly podTimes: PodSchedulingTimes;
}

/** Gauges that are read at a scrape; empty until this process leads. */
const readGauges = (
  { state, clock, caches, provider, podTimes }: Observed,
  metrics: Metrics,
  options: { showsNodes: boolean; leads(): boolean },
): void => {
  const pools = () => (options.leads() ? caches.nodePools.list() : []);
  poolGauges(metrics, {
    pools: () => pools().filter(({ spec }) => isManaged(spec.template.spec.nodeClassRef, provider)),
    usageOf: (nodePoolName) => state.usageOf(nodePoolName),
    clusterLimits: () => (options.leads() ? state.clusterLimits() : undefined),
  });
  if (caches.capacityBuffers !== undefined)
    bufferGauges(metrics, {
      buffers: () => (options.leads() ? state.buffers.list() : []),
      chunksOf: (buffer) => state.buffers.chunksOf(buffer, clock.now()),
      roomOf: (buffer) => state.buffers.roomOf(buffer),
    });
  const nodes = () => (options.leads() ? caches.nodes.list() : []);
  terminationGauge(metrics, { nodes, nowMs: () => clock.now() });
  if (!options.showsNodes) return;
  nodeLifetimes(metrics, { nodes, series: nodeSeries(provider.labelCatalog), nowMs: () => clock.now() });
  nodeGauges(metrics, { nodes, views: () => state.views(clock.now()) });
  podGauges(metrics, { pods: () => (options.leads() ? caches.pods.list() : []), nodes, nowMs: () => clock.now(), times: podTimes });
};

const isReady = ({ status }: Pod): boolean => conditionOf(status?.conditions, 'Ready')?.status === 'True';

/** Observes how long pods take from their first wait to their start. */
const followPods = ({ state, clock, caches, podTimes }: Observed, metrics: Metrics): void => {
  const { startupSeconds, provisioningStartupSeconds } = coreMetrics(metrics);
  const starts = new PodStarts();
  for (const pod of state.waitingPods()) podTimes.see(pod, clock.now());
  state.onPodTransition(({ kind, pod }) => {
    if (kind === 'waiting') podTimes.see(pod, clock.now());
  });
  caches.pods.subscribe((change) => {
    const { type, object: pod } = change;
    const tookMs = starts.see(change);
    if (tookMs !== undefined) {
      startupSeconds.observe(tookMs / 1000);
      const sincePlacedMs = podTimes.sincePlaced(pod, tookMs);
      if (sincePlacedMs !== undefined) provisioningStartupSeconds.observe(sincePlacedMs / 1000);
    }
    if (type === 'deleted' || isTerminal(pod) || isReady(pod)) podTimes.forget(pod);
  });
};

/** Keeps the metrics about cluster state: what nodes and pools have and use, and how long pods take to start. */
export const stateMetrics = (
  observed: Observed,
  { metrics, showsNodes }: { readonly metrics: Metrics; readonly showsNodes: boolean },
): SingletonController => {
  const { state, clock } = observed;
  const { nodeCount, synced, unsyncedSeconds } = coreMetrics(metrics);
  let isLeading = false;
  let syncedAtMs = clock.now();
  readGauges(observed, metrics, { showsNodes, leads: () => isLeading });
  return {
    name: 'metrics.state',
    reconcile() {
      if (!isLeading) followPods(observed, metrics);
      isLeading = true;
      const nowMs = clock.now();
      if (state.hasSynced()) syncedAtMs = nowMs;
      synced.set(state.hasSynced() ? 1 : 0);
      unsyncedSeconds.set((nowMs - syncedAtMs) / 1000);
      nodeCount.set(state.views(nowMs).length);
      return Promise.resolve(requeueAfter(PERIOD_MS));
    },
  };
};
