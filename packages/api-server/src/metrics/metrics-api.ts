import { kubeTime } from '@karpenter/runtime';
import type { Attributes } from '../access/attributes.ts';
import type { Engine } from '../engine/engine.ts';
import { type JsonObject, objectsAt, textAt } from '../json/json.ts';
import { notFound } from '../status/refusals.ts';
import { type StoredObject, storeKey } from '../store/stored-object.ts';
import { selectionOf } from '../verbs/selection.ts';
import { selectObjects } from '../verbs/read.ts';
import { quantityValueOf } from '../quantity/quantity.ts';

export const METRICS_GROUP = 'metrics.k8s.io';
export const METRICS_VERSION = 'v1beta1';
const apiVersion = `${METRICS_GROUP}/${METRICS_VERSION}`;

/** What `kubectl top` asks for. */
export interface MetricsQuestion {
  readonly kind: 'NodeMetrics' | 'PodMetrics';
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const PATH = new RegExp(`^/apis/${METRICS_GROUP}/${METRICS_VERSION}/(?:namespaces/([^/]+)/)?(nodes|pods)(?:/([^/]+))?$`);

/** The question that a path asks; undefined when it asks for no metrics. */
export const metricsQuestionOf = (path: string): MetricsQuestion | undefined => {
  const [match, namespace, plural, name] = PATH.exec(path) ?? [];
  return match === undefined ? undefined : { kind: plural === 'nodes' ? 'NodeMetrics' : 'PodMetrics', namespace, name };
};

/** What a question asks leave for. */
export const metricsAttributesOf = ({ kind, namespace, name }: MetricsQuestion): Attributes => ({
  ...{ verb: name === undefined ? 'list' : 'get', group: METRICS_GROUP },
  ...{ resource: kind === 'NodeMetrics' ? 'nodes' : 'pods', namespace, name },
});

const written = ({ cpuMillis, memoryKib }: ComputeUsage): JsonObject => ({ cpu: `${cpuMillis}m`, memory: `${memoryKib}Ki` });

const metricsOf = (engine: Engine, { kind, metadata }: Pick<StoredObject, 'kind' | 'metadata'>, usage: JsonObject): JsonObject => {
  const { name, namespace, labels = {}, creationTimestamp } = metadata;
  const own = { name, ...(namespace === undefined ? {} : { namespace }), labels, creationTimestamp };
  return { kind: `${kind}Metrics`, apiVersion, metadata: own, timestamp: kubeTime(engine.nowMs), window: '30s', ...usage };
};

const ofPod = (engine: Engine, pod: StoredObject): JsonObject => {
  const containers = containerUsages(pod).map(({ name, usage }) => ({ name, usage: written(usage) }));
  return metricsOf(engine, pod, { containers });
};

const ofNode = (engine: Engine, node: StoredObject): JsonObject => {
  const pods = engine.store.table('pods').byField('spec.nodeName', node.metadata.name) ?? [];
  return metricsOf(engine, node, { usage: written(nodeUsage([...pods])) });
};

/** Answers from the objects of the cluster. Throws an `ApiError` (`NotFound`) for one that is not there. */
export const metricsAnswer = (engine: Engine, question: MetricsQuestion, labelSelector: string): JsonObject => {
  const { kind, namespace, name } = question;
  const plural = kind === 'NodeMetrics' ? 'nodes' : 'pods';
  const answer = (object: StoredObject): JsonObject => (kind === 'NodeMetrics' ? ofNode(engine, object) : ofPod(engine, object));
  if (name !== undefined) {
    const object = engine.get(plural, storeKey(namespace, name));
    if (object === undefined) throw notFound({ group: METRICS_GROUP, plural, kind }, name);
    return answer(object);
  }
  const resource = engine.registry.byStorage(plural);
  if (resource === undefined) throw new Error(`no resource named ${plural}`);
  const selection = selectionOf(resource, { namespace, labelSelector, fieldSelector: '' });
  const items = selectObjects(engine, resource, selection).map(answer);
  const running = items.filter((item) => kind === 'NodeMetrics' || (item['containers'] as JsonObject[]).length > 0);
  return { kind: `${kind}List`, apiVersion, metadata: {}, items: running };
};

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
const nodeUsage = (pods: readonly StoredObject[]): ComputeUsage =>
  pods
    .flatMap(containerUsages)
    .reduce((sum, { usage }) => ({ cpuMillis: sum.cpuMillis + usage.cpuMillis, memoryKib: sum.memoryKib + usage.memoryKib }), SYSTEM);
