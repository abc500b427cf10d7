import type { PodClass } from '../../pod-classes/pod-class.ts';
import type { NodeTerm } from '../../pod-classes/node-term.ts';
import type { PodBatch } from '../pod-batch.ts';

/** The term of a pod that goes anywhere. */
export const anywhere: NodeTerm = { text: '', requirements: new Map(), tolerations: [], relaxation: 'required' };

/** So many pods of a size; of their class packing reads nothing else. */
export const aPodBatch = (count: number, cpuMillis: number, memoryBytes: number): PodBatch => ({
  podClass: { topology: undefined } as Partial<PodClass> as PodClass,
  terms: [anywhere],
  count,
  resourceIds: Int32Array.of(0, 1, 2),
  amounts: Float64Array.of(cpuMillis, memoryBytes, 1),
  host: undefined,
});
