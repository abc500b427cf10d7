import { annotations, labels } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';

/** Pods that are placed together or not at all. */
export interface PodGroup {
  /** `namespace/name`. */
  readonly name: string;
  /** How many must have a place, those that run among them. Infinity where the annotation is no whole number above zero: nobody knows then. */
  readonly minMember: number;
}

/**
 * The group of a pod: by the label `scheduling.x-k8s.io/pod-group`, and the annotation `karpenter.sh/pod-group-min-member`. Undefined without either of
 * the two: a group whose size is not stated here is left to the scheduler.
 */
export const podGroupOf = ({ metadata }: Pod): PodGroup | undefined => {
  const [name, size] = [metadata.labels?.[labels.podGroup], metadata.annotations?.[annotations.podGroupMinMember]];
  if (typeof name !== 'string' || name === '' || typeof size !== 'string') return undefined;
  const minMember = /^[1-9]\d{0,8}$/.test(size) ? Number(size) : Number.POSITIVE_INFINITY;
  return { name: `${metadata.namespace ?? 'default'}/${name}`, minMember };
};
