import type { AggregatedApi, ApiObject, LocalApi } from '@karpenter/api-server';
import { quantityValueOf } from '@karpenter/api-server';
import type { Clock } from '@karpenter/runtime';
import { kubeTime } from '@karpenter/runtime';
import { nodes } from '../objects/node.ts';
import { type Container, type PodObject, podKind } from '../objects/pod.ts';

const apiVersion = 'metrics.k8s.io/v1beta1';

/** What a container or a node uses. */
interface ComputeUsage {
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

const requested = ({ resources }: Container, resource: string, unit: bigint): number =>
  Number((quantityValueOf(String(resources?.requests?.[resource] ?? ''))?.nanos ?? 0n) / unit);

/** Made up, since nothing runs: 30 to 60 % of the requested cpu and 50 to 80 % of the memory, by the name of the pod. */
const usageOf = ({ metadata: { name = '' } }: PodObject, container: Container): ComputeUsage => {
  const more = (percentOf(name) * 3) / 1000;
  return {
    cpuMillis: Math.max(IDLE.cpuMillis, Math.round(requested(container, 'cpu', NANOS_PER_MILLI) * (0.3 + more))),
    memoryKib: Math.max(IDLE.memoryKib, Math.round(requested(container, 'memory', NANOS_PER_KIB) * (0.5 + more))),
  };
};

/** Containers of a running pod with what they use; none of a pod that does not run. */
export const containerUsages = (pod: PodObject): readonly { readonly name: string; readonly usage: ComputeUsage }[] =>
  pod.status?.phase === 'Running' ? pod.spec.containers.map((container) => ({ name: container.name, usage: usageOf(pod, container) })) : [];

/** What the pods of a node use together with its system. */
const nodeUsage = (pods: readonly PodObject[]): ComputeUsage =>
  pods
    .flatMap(containerUsages)
    .reduce((sum, { usage }) => ({ cpuMillis: sum.cpuMillis + usage.cpuMillis, memoryKib: sum.memoryKib + usage.memoryKib }), SYSTEM);

const written = ({ cpuMillis, memoryKib }: ComputeUsage) => ({ cpu: `${cpuMillis}m`, memory: `${memoryKib}Ki` });

/** Answers `kubectl top`, as metrics-server does. */
export const metricsServer = (api: LocalApi, clock: Clock): AggregatedApi => {
  const metricsOf = ({ kind, metadata }: ApiObject, usage: object): ApiObject => {
    const { name, namespace, labels = {}, creationTimestamp } = metadata;
    const own = { name, ...(namespace === undefined ? {} : { namespace }), labels, creationTimestamp };
    return { ...{ kind: `${kind}Metrics`, apiVersion, metadata: own, timestamp: kubeTime(clock.now()), window: '30s' }, ...usage };
  };
  const ofPod = (pod: PodObject): ApiObject =>
    metricsOf(pod, { containers: containerUsages(pod).map(({ name, usage }) => ({ name, usage: written(usage) })) });
  const ofNode = (node: ApiObject): ApiObject => {
    const pods = api.list(podKind, { fieldSelector: `spec.nodeName=${node.metadata.name ?? ''}` });
    return metricsOf(node, { usage: written(nodeUsage(pods)) });
  };
  return {
    groupVersion: apiVersion,
    kinds: [
      { kind: 'NodeMetrics', plural: 'nodes', namespaced: false },
      { kind: 'PodMetrics', plural: 'pods', namespaced: true },
    ],
    objects: (kind, { name, ...query }) => {
      const named = name === undefined ? query : { ...query, fieldSelector: `metadata.name=${name}` };
      if (kind === 'NodeMetrics') return api.list(nodes, named).map(ofNode);
      const pods = api.list(podKind, named);
      return (name === undefined ? pods.filter((pod) => containerUsages(pod).length > 0) : pods).map(ofPod);
    },
  };
};
