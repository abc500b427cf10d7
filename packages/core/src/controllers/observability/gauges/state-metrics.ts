import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { Metrics } from '../../../ports/index.ts';
import { isManaged } from '../../../cloudprovider/index.ts';
import type { Shell } from '../../shell.ts';
import { coreMetrics } from '../metrics/core-metrics.ts';
import { bufferGauges } from './buffer-gauges.ts';
import { nodeGauges } from './node-gauges.ts';
import { nodeLifetimes } from '../metrics/node-lifetimes.ts';
import { nodeSeries } from './node-series.ts';
import { podGauges } from './pod-gauges.ts';
import { PodStarts } from '../metrics/pod-starts.ts';
import { poolGauges } from './pool-gauges.ts';
import { terminationGauge } from './termination-gauge.ts';

const PERIOD_MS = 5000;

type Observed = Pick<Shell, 'state' | 'clock' | 'caches' | 'provider'>;

/** Gauges that are read at a scrape; empty until this process leads. */
const readGauges = (
  { state, clock, caches, provider }: Observed,
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
  podGauges(metrics, { pods: () => (options.leads() ? caches.pods.list() : []), nodes, nowMs: () => clock.now() });
};

/** Keeps the metrics about cluster state: what nodes and pools have and use, and how long pods take to start. */
export const stateMetrics = (
  observed: Observed,
  { metrics, showsNodes }: { readonly metrics: Metrics; readonly showsNodes: boolean },
): SingletonController => {
  const { state, clock, caches } = observed;
  const { nodeCount, synced, unsyncedSeconds, startupSeconds } = coreMetrics(metrics);
  const starts = new PodStarts();
  let isLeading = false;
  let syncedAtMs = clock.now();
  readGauges(observed, metrics, { showsNodes, leads: () => isLeading });
  const followStarts = (): void => {
    caches.pods.subscribe((change) => {
      const tookMs = starts.see(change);
      if (tookMs !== undefined) startupSeconds.observe(tookMs / 1000);
    });
  };
  return {
    name: 'metrics.state',
    reconcile() {
      if (!isLeading) followStarts();
      isLeading = true;
      const nowMs = clock.now();
      if (state.hasSynced()) syncedAtMs = nowMs;
      synced.set(state.hasSynced() ? 1 : 0);
      unsyncedSeconds.set((nowMs - syncedAtMs) / 1000);
      nodeCount.set(state.snapshot(nowMs).nodes.length);
      return Promise.resolve(requeueAfter(PERIOD_MS));
    },
  };
};
