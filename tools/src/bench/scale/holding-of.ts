import type { AssembledController } from '../../../../apps/controller/src/controller.ts';

/** What a process holds in memory, after a collection, and what of the cluster it follows. JSON. */
export interface Holding {
  readonly heapBytes: number;
  /** Buffers outside of the heap. */
  readonly externalBytes: number;
  readonly residentBytes: number;
  /** The most there ever was, before any collection that was asked for. */
  readonly peakResidentBytes: number;
  readonly cpuSeconds: number;
  readonly hasSynced: boolean;
  readonly nodes: number;
}

type Registry = AssembledController['registry'];

const gaugeIn = async (registry: Registry, name: string): Promise<number> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;

/** What this process holds. Needs `--expose-gc`. */
export const holdingOf = async (registry: Registry): Promise<Holding> => {
  const peakResidentBytes = process.resourceUsage().maxRSS * 1024;
  const { user, system } = process.cpuUsage();
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heapBytes: heapUsed,
    externalBytes: external,
    residentBytes: rss,
    peakResidentBytes,
    cpuSeconds: (user + system) / 1e6,
    hasSynced: (await gaugeIn(registry, 'karpenter_cluster_state_synced')) === 1,
    nodes: await gaugeIn(registry, 'karpenter_cluster_state_node_count'),
  };
};
