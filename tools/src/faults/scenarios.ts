import type { WantedState } from './cluster-problems.ts';
import { type FaultCluster } from './fault-cluster.ts';
import { ALONE, SHARED } from './fault-workloads.ts';

/**
 * What happens in a cluster while something goes wrong. Scenarios follow each other: each begins where the one before
 * ended.
 */
export interface FaultScenario {
  readonly name: 'scale-up' | 'consolidation' | 'drift' | 'removal' | 'deletion';
  /** Within so long after the change the fault strikes. */
  readonly windowMs: number;
  readonly change: (cluster: FaultCluster, generation: string) => Promise<void>;
  readonly wanted: Omit<WantedState, 'generation'>;
  /** The most machines that the pool of pods that stand alone may have at any time. */
  readonly mostAlone: number;
  /** The most cores that the pool of pods that share nodes may have at any time, by what it had before. */
  readonly mostSharedCores: (before: number) => number;
}

const MANY = 12;
/** For a pod of one core, whose node has some to spare. */
const CORES_FOR_A_POD = 2;
/** Claims that are deleted at once, and nodes of others. */
const REMOVED = { claims: 2, nodes: 1 };
const FEW = { alone: 5, shared: 1, sharedNodes: 1 };

/** In the order in which they follow each other, again and again. */
export const faultScenarios: readonly FaultScenario[] = [
  {
    name: 'scale-up',
    windowMs: 12_000,
    change: async (cluster) => {
      await cluster.scale(ALONE.name, FEW.alone);
      await cluster.scale(SHARED.name, MANY);
    },
    wanted: { alone: FEW.alone, shared: MANY },
    mostAlone: FEW.alone,
    // A plan fills what it buys: made twice over, it has more.
    mostSharedCores: () => CORES_FOR_A_POD * MANY,
  },
  {
    name: 'consolidation',
    windowMs: 25_000,
    change: (cluster) => cluster.scale(SHARED.name, FEW.shared),
    wanted: FEW,
    mostAlone: FEW.alone,
    // One replacement at a time, for as many pods as there are left.
    mostSharedCores: (before) => before + 2 * CORES_FOR_A_POD,
  },
  {
    name: 'drift',
    windowMs: 25_000,
    change: (cluster, generation) => cluster.relabelPools(generation),
    wanted: FEW,
    mostAlone: 2 * FEW.alone,
    mostSharedCores: (before) => 2 * before,
  },
  {
    name: 'removal',
    windowMs: 25_000,
    change: (cluster) => cluster.removeMachines(REMOVED),
    wanted: FEW,
    // Each has its replacement before it is gone.
    mostAlone: FEW.alone + REMOVED.claims + REMOVED.nodes,
    mostSharedCores: (before) => 2 * before,
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
    mostSharedCores: (before) => before,
  },
];
