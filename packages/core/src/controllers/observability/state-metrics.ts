import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { Metrics } from '../../ports/index.ts';
import type { Shell } from '../shell.ts';
import { coreMetrics } from './core-metrics.ts';
import { nodeLifetimes } from './node-lifetimes.ts';

const PERIOD_MS = 5000;

/** Keeps the gauges about cluster state. */
export const stateMetrics = (
  { state, clock, caches, provider }: Pick<Shell, 'state' | 'clock' | 'caches' | 'provider'>,
  { metrics, showsNodes }: { readonly metrics: Metrics; readonly showsNodes: boolean },
): SingletonController => {
  const { nodeCount, synced } = coreMetrics(metrics);
  let isLeading = false;
  const { labelCatalog } = provider;
  if (showsNodes) nodeLifetimes(metrics, { nodes: () => (isLeading ? caches.nodes.list() : []), labelCatalog, nowMs: () => clock.now() });
  return {
    name: 'metrics.state',
    reconcile() {
      isLeading = true;
      synced.set(state.hasSynced() ? 1 : 0);
      nodeCount.set(state.snapshot(clock.now()).nodes.length);
      return Promise.resolve(requeueAfter(PERIOD_MS));
    },
  };
};
