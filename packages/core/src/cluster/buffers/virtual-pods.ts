import { annotations } from '../../apis/index.ts';
import type { CapacityBuffer } from '../../apis/index.ts';
import type { Pod, PodSpec, PodTemplateSpec } from '../../kube/index.ts';

/** Below every pod that exists. */
const LEAST_PRIORITY = -(2 ** 31);

/** Without what only a pod in the API server can have: a node, gates, and volumes whose claims are made for it. */
const specOf = ({ nodeName: _nodeName, schedulingGates: _gates, volumes, ...spec }: PodSpec): PodSpec => {
  const plain = volumes?.filter(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim === undefined && ephemeral === undefined);
  return { ...spec, priority: LEAST_PRIORITY, ...(plain !== undefined && plain.length > 0 && { volumes: plain }) };
};

/**
 * The chunks of a buffer as pods that share one spec. Their uids are made from that of the buffer, so that they stay
 * the same.
 */
export const virtualPods = ({ metadata }: CapacityBuffer, template: PodTemplateSpec, count: number): readonly Pod[] => {
  const { name, namespace = 'default', uid = `${namespace}/${name}`, creationTimestamp } = metadata;
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
