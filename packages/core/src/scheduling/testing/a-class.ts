import type { PodClass } from '../classes/pod-class.ts';

/** A class of pods of a size that care for nothing else; placing reads no more of it. Resources: cpu, memory, pods. */
export const aClass = (cpuMillis: number, memoryBytes = 1): PodClass =>
  ({
    topology: undefined,
    shared: undefined,
    resourceIds: Int32Array.of(0, 1, 2),
    amounts: Float64Array.of(cpuMillis, memoryBytes, 1),
  }) as Partial<PodClass> as PodClass;
