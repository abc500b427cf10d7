import type { JsonObject } from '../json/json.ts';
import { objectsAt, textAt } from '../json/value-at.ts';
import { quantityValueOf } from '../quantity/quantity.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** What a container or a node uses. */
export interface ComputeUsage {
  readonly cpuMillis: number;
  readonly memoryKib: number;
}

const NANOS_PER_MILLI = 1_000_000n;
const NANOS_PER_KIB = 1_024_000_000_000n;
/** Of a container that requests nothing, and of the system of a node. */
const IDLE: ComputeUsage = { cpuMillis: 1, memoryKib: 8 * 1024 };
const SYSTEM: ComputeUsage = { cpuMillis: 60, memoryKib: 400 * 1024 };

/** Between 0 and 99, always the same for one text. */
const percentOf = (text: string): number => Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 100, 7);

const requested = (container: JsonObject, resource: string, unit: bigint): number =>
  Number((quantityValueOf(textAt(container, `resources.requests.${resource}`))?.nanos ?? 0n) / unit);

/** Made up, since nothing runs: 30 to 60 % of the requested cpu and 50 to 80 % of the memory, by the name of the pod. */
const usageOf = (pod: StoredObject, container: JsonObject): ComputeUsage => {
  const more = (percentOf(pod.metadata.name) * 3) / 1000;
  return {
    cpuMillis: Math.max(IDLE.cpuMillis, Math.round(requested(container, 'cpu', NANOS_PER_MILLI) * (0.3 + more))),
    memoryKib: Math.max(IDLE.memoryKib, Math.round(requested(container, 'memory', NANOS_PER_KIB) * (0.5 + more))),
  };
};

/** Containers of a running pod with what they use; none of a pod that does not run. */
export const containerUsages = (pod: StoredObject): readonly { readonly name: string; readonly usage: ComputeUsage }[] =>
  textAt(pod, 'status.phase') === 'Running'
    ? objectsAt(pod, 'spec.containers').map((container) => ({ name: textAt(container, 'name'), usage: usageOf(pod, container) }))
    : [];

/** What the pods of a node use together with its system. */
export const nodeUsage = (pods: readonly StoredObject[]): ComputeUsage =>
  pods
    .flatMap(containerUsages)
    .reduce((sum, { usage }) => ({ cpuMillis: sum.cpuMillis + usage.cpuMillis, memoryKib: sum.memoryKib + usage.memoryKib }), SYSTEM);
