import type { ObjectMeta } from './object-meta.ts';
import type { PodSpec } from './pods/pod.ts';
import type { LabelSelector } from './selectors/selector.ts';

/** A DaemonSet, as far as its pods take room of every new node. */
export interface DaemonSet {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly template: { readonly metadata?: Partial<ObjectMeta>; readonly spec: PodSpec } };
}

/** How many of some pods may be evicted; `status.disruptionsAllowed` says how many more now. */
export interface PodDisruptionBudget {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly observedGeneration?: number;
  };
}
