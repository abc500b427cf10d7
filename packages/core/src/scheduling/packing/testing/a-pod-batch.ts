import type { PodClass } from '../../classes/pod-class.ts';
import type { Rung } from '../../classes/rung.ts';
import type { PodBatch } from '../pod-batch.ts';

/** The rung of a pod that goes anywhere. */
export const anywhere: Rung = { text: '', requirements: new Map(), tolerations: [], relaxation: 'required' };

/** So many pods of a size; of their class packing reads nothing else. */
export const aPodBatch = (count: number, cpuMillis: number, memoryBytes: number): PodBatch => ({
  podClass: { topology: undefined } as Partial<PodClass> as PodClass,
  rungs: [anywhere],
  count,
  resourceIds: Int32Array.of(0, 1, 2),
  amounts: Float64Array.of(cpuMillis, memoryBytes, 1),
  host: undefined,
});
