import { requeueAfter } from '@karpenter/runtime';
import type { SingletonController } from '@karpenter/runtime';
import type { Metrics } from '../../ports/index.ts';
import type { Shell } from '../shell.ts';
import { coreMetrics } from './core-metrics.ts';

const PERIOD_MS = 5000;

/** Keeps the gauges about cluster state. */
export const stateMetrics = ({ state, clock }: Pick<Shell, 'state' | 'clock'>, metrics: Metrics): SingletonController => {
  const { nodeCount, synced } = coreMetrics(metrics);
  return {
    name: 'metrics.state',
    reconcile() {
      synced.set(state.hasSynced() ? 1 : 0);
      nodeCount.set(state.snapshot(clock.now()).nodes.length);
      return Promise.resolve(requeueAfter(PERIOD_MS));
    },
  };
};
