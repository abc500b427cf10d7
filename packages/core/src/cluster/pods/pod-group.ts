import { annotations, labels } from '../../apis/index.ts';
import { wholeNumberIn } from '../../base/index.ts';
import { namespacedNameOf } from '../../kube/index.ts';
import type { Pod, PodGroupObject } from '../../kube/index.ts';

/** Pods that are placed together or not at all. */
export interface PodGroup {
  /** `namespace/name`. */
  readonly name: string;
  /**
   * How many must have a place, those that run among them. Infinity where the annotation is no whole number above zero:
   * nobody knows then.
   */
  readonly minMember: number;
}

/** What is known of a pod group beside the pods that wait or run. */
interface PodGroupFacts {
  /** Of the PodGroup object of its name. */
  readonly minMember?: number;
  /** Pods that have run to their end: they had their places. */
  readonly succeeded: number;
}

/** `namespace/name` → what is known of the group. */
export type PodGroupTable = ReadonlyMap<string, PodGroupFacts>;

/** `namespace/name` of the group whose label the pod has. */
const podGroupNameOf = ({ metadata }: Pod): string | undefined => {
  const label: unknown = metadata.labels?.[labels.podGroup];
  return typeof label !== 'string' || label === '' ? undefined : namespacedNameOf({ ...metadata, name: label });
};

/** Whether the pod has succeeded as a member of a pod group. */
export const isSucceededMember = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' && podGroupNameOf(pod) !== undefined;

/**
 * The facts about groups that have a PodGroup object, or members that have succeeded. An object without a `minMember`
 * of one or more states no size: the scheduler holds no pod back for it.
 */
export const podGroupTable = (objects: readonly PodGroupObject[], succeededMembers: readonly Pod[]): PodGroupTable => {
  const table = new Map<string, PodGroupFacts>();
  for (const { metadata, spec: { minMember = 0 } = {} } of objects)
    table.set(namespacedNameOf(metadata), { succeeded: 0, ...(minMember >= 1 && { minMember }) });
  for (const pod of succeededMembers) {
    const name = podGroupNameOf(pod);
    if (name === undefined) continue;
    const known = table.get(name) ?? { succeeded: 0 };
    table.set(name, { ...known, succeeded: known.succeeded + 1 });
  }
  return table;
};

const annotatedSize = (size: unknown): number | undefined => {
  if (typeof size !== 'string') return undefined;
  return wholeNumberIn(size, { min: 1, max: 999_999_999 }) ?? Number.POSITIVE_INFINITY;
};

/**
 * The group of a pod: its name by the label `scheduling.x-k8s.io/pod-group`, its size by the PodGroup of that name,
 * otherwise by the pod's annotation `karpenter.sh/pod-group-min-member`. Undefined for a pod without the label or a
 * size: it is left to the scheduler.
 */
export const podGroupOf = (pod: Pod, table?: PodGroupTable): PodGroup | undefined => {
  const name = podGroupNameOf(pod);
  if (name === undefined) return undefined;
  const minMember = table?.get(name)?.minMember ?? annotatedSize(pod.metadata.annotations?.[annotations.podGroupMinMember]);
  return minMember === undefined ? undefined : { name, minMember };
};
