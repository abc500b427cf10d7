import { getHeapSpaceStatistics } from 'node:v8';
import type { AssembledController } from '../../../../apps/controller/src/controller.ts';

/** What a process holds in memory, after a collection, and what of the cluster it follows. JSON. */
export interface Holding {
  /** Of objects. */
  readonly heapBytes: number;
  /** Of code: V8 goes on compiling for hours, each time that something has run often enough to be worth it. */
  readonly codeBytes: number;
  /** Buffers outside of the heap. */
  readonly externalBytes: number;
  readonly residentBytes: number;
  /** The most there ever was, before any requested collection. */
  readonly peakResidentBytes: number;
  readonly cpuSeconds: number;
  readonly hasSynced: boolean;
  readonly nodes: number;
}

type Registry = AssembledController['registry'];

const gaugeIn = async (registry: Registry, name: string): Promise<number> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;

/** Spaces of the heap in which V8 keeps what it compiles, and what it has to know of that. */
const CODE_SPACE = /^(code|trusted)_/;

const heldCodeBytes = (): number =>
  getHeapSpaceStatistics().reduce((sum, { space_name, space_used_size }) => sum + (CODE_SPACE.test(space_name) ? space_used_size : 0), 0);

/** What this process holds. Needs `--expose-gc`. */
export const holdingOf = async (registry: Registry): Promise<Holding> => {
  const peakResidentBytes = process.resourceUsage().maxRSS * 1024;
  const { user, system } = process.cpuUsage();
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const codeBytes = heldCodeBytes();
  return {
    heapBytes: heapUsed - codeBytes,
    codeBytes,
    externalBytes: external,
    residentBytes: rss,
    peakResidentBytes,
    cpuSeconds: (user + system) / 1e6,
    hasSynced: (await gaugeIn(registry, 'karpenter_cluster_state_synced')) === 1,
    nodes: await gaugeIn(registry, 'karpenter_cluster_state_node_count'),
  };
};
