import type { WantedState } from './cluster-problems.ts';
import { ALONE, type FaultCluster, SHARED } from './fault-cluster.ts';

/**
 * What happens in a cluster while something goes wrong. Scenarios follow each other: each begins where the one before
 * ended.
 */
export interface FaultScenario {
  readonly name: 'scale-up' | 'consolidation' | 'drift' | 'deletion';
  /** Within so long after the change the fault strikes. */
  readonly windowMs: number;
  readonly change: (cluster: FaultCluster, generation: string) => Promise<void>;
  readonly wanted: Omit<WantedState, 'generation'>;
  /** The most machines that the pool of pods that stand alone may have at any time. */
  readonly mostAlone: number;
}

const FEW = { alone: 5, shared: 1, sharedNodes: 1 };

/** In the order in which they follow each other, again and again. */
export const faultScenarios: readonly FaultScenario[] = [
  {
    name: 'scale-up',
    windowMs: 12_000,
    change: async (cluster) => {
      await cluster.scale(ALONE.name, FEW.alone);
      await cluster.scale(SHARED.name, 12);
    },
    wanted: { alone: FEW.alone, shared: 12 },
    mostAlone: FEW.alone,
  },
  {
    name: 'consolidation',
    windowMs: 25_000,
    change: (cluster) => cluster.scale(SHARED.name, FEW.shared),
    wanted: FEW,
    mostAlone: FEW.alone,
  },
  {
    name: 'drift',
    windowMs: 25_000,
    change: (cluster, generation) => cluster.relabelPools(generation),
    wanted: FEW,
    mostAlone: 2 * FEW.alone,
  },
  {
    name: 'deletion',
    windowMs: 12_000,
    change: async (cluster) => {
      await cluster.scale(ALONE.name, 0);
      await cluster.scale(SHARED.name, 0);
    },
    wanted: { alone: 0, shared: 0, sharedNodes: 0 },
    mostAlone: FEW.alone,
  },
];
