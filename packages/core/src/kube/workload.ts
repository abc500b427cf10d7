import type { ObjectMeta } from './object-meta.ts';
import type { PodSpec } from './pods/pod.ts';
import type { LabelSelector } from './selectors.ts';

/** What pods are made of. */
export interface PodTemplateSpec {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: PodSpec;
}

/** A PodTemplate (v1): nothing makes pods of it. The API server takes one without a template. */
export interface PodTemplate {
  readonly metadata: ObjectMeta;
  readonly template?: PodTemplateSpec;
}

/** The replicas and the pod template of a Deployment, StatefulSet or ReplicaSet. */
export interface ScalableWorkload {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly replicas?: number; readonly template: PodTemplateSpec };
}

/** A DaemonSet, as far as its pods take room of every new node. */
export interface DaemonSet {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly template: PodTemplateSpec };
}

/** A PodGroup of kubernetes-sigs/scheduler-plugins (`scheduling.x-k8s.io/v1alpha1`), as far as Karpenter reads it. */
export interface PodGroupObject {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly minMember?: number };
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
