import { annotations } from '../apis/index.ts';
import type { CapacityBuffer, CapacityBufferSpec } from '../apis/index.ts';
import { memoByObject } from '../base/index.ts';
import { namespacedNameOf, namespaceOf, requestsOfPodSpec, resourcesOf } from '../kube/index.ts';
import type { Pod, PodSpec, PodTemplateSpec } from '../kube/index.ts';

/** A CapacityBuffer that asks for room now. */
export interface BufferView {
  readonly buffer: CapacityBuffer;
  /** One for each chunk, never empty. They are not in the API server: no event, nomination or pod metric is about them. */
  readonly virtualPods: readonly Pod[];
}

/** What the reference of a buffer comes to. */
export interface BufferSource {
  readonly template: PodTemplateSpec;
  /** Of a workload. */
  readonly scalableReplicas?: number;
  /** Of a PodTemplate. */
  readonly podTemplate?: { readonly name: string; readonly generation?: number };
}

/**
 * The most chunks of one buffer, and of all buffers of a namespace: a limit divided by a tiny request must not fill the
 * memory.
 */
export const MOST_CHUNKS = 10_000;

const byPercentage = (percentage: number | undefined, scalableReplicas: number | undefined): readonly number[] =>
  percentage === undefined || scalableReplicas === undefined || scalableReplicas <= 0
    ? []
    : [Math.ceil((scalableReplicas * percentage) / 100)];

/** How many chunks fit within the limits; undefined where no limit is on anything that a chunk requests. */
const withinLimits = ({ limits }: CapacityBufferSpec, { spec }: PodTemplateSpec): number | undefined => {
  // A chunk is one pod by definition, so that a limit on `pods` says nothing; the original ignores it as well.
  const { pods: _, ...requests } = requestsOfPodSpec(spec);
  const most = Object.entries(resourcesOf(limits)).flatMap(([name, limit]) => {
    const request = requests[name] ?? 0;
    return request > 0 ? [Math.max(0, Math.floor(limit / request))] : [];
  });
  return most.length === 0 ? undefined : Math.min(...most);
};

/**
 * How many chunks the buffer asks for: the larger of `replicas` and `percentage`, and no more than fit within `limits`;
 * limits alone where neither is set. Throws RangeError on a malformed quantity. Source: the original's
 * `capacitybuffer.computeReplicas`. The field's description there says the smaller of the two; its code and tests take
 * the larger.
 */
export const bufferReplicas = (spec: CapacityBufferSpec, { template, scalableReplicas }: BufferSource): number => {
  const sizes = [...byPercentage(spec.percentage, scalableReplicas), ...(spec.replicas === undefined ? [] : [spec.replicas])];
  const most = withinLimits(spec, template);
  const wanted = sizes.length === 0 ? (most ?? 0) : Math.min(Math.max(...sizes), most ?? Number.POSITIVE_INFINITY);
  return Math.min(wanted, MOST_CHUNKS);
};

/** Below every pod that exists. */
const LEAST_PRIORITY = -(2 ** 31);

/**
 * Without what only a pod in the API server can have: a node, gates, and volumes whose claims are made for it. One spec
 * for all buffers of a template: the solver reads each spec once.
 */
const specOf = memoByObject(({ nodeName: _nodeName, schedulingGates: _gates, volumes, ...spec }: PodSpec): PodSpec => {
  const plain = volumes?.filter(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim === undefined && ephemeral === undefined);
  return { ...spec, priority: LEAST_PRIORITY, ...(plain !== undefined && plain.length > 0 && { volumes: plain }) };
});

/**
 * The chunks of a buffer as pods that share one spec. Their uids are made from that of the buffer, so that they stay
 * the same.
 */
export const virtualPods = (buffer: CapacityBuffer, template: PodTemplateSpec, count: number): readonly Pod[] => {
  const namespace = namespaceOf(buffer);
  const { name, uid = namespacedNameOf(buffer.metadata), creationTimestamp } = buffer.metadata;
  const spec = specOf(template.spec);
  const marks = {
    [annotations.bufferFakePod]: 'true',
    [annotations.bufferName]: name,
    [annotations.bufferNamespace]: namespace,
  };
  const shared = {
    namespace,
    labels: template.metadata?.labels ?? {},
    annotations: marks,
    ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
  };
  return Array.from({ length: count }, (_, index) => ({
    metadata: { ...shared, name: `capacity-buffer-${name}-${index + 1}`, uid: `${uid}-${index + 1}` },
    spec,
  }));
};
