import type { Condition, ObjectMeta, ResourceList } from '../object-meta.ts';
import type { LabelSelector, NodeSelectorTerm } from '../selectors.ts';
import type { Toleration } from '../node.ts';

/** A pod as the API server gives it, less the fields that neither scheduling nor disruption reads. */
export interface Pod {
  readonly apiVersion?: 'v1';
  readonly kind?: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

/** The fields of a pod that decide where it can run, and how it is evicted. */
export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly overhead?: ResourceList;
  readonly resources?: ResourceRequirements;
  readonly volumes?: readonly Volume[];
  /** Devices that drivers allocate: claims by name, or templates; each pod gets a claim of its own from them. */
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
  readonly schedulerName?: string;
  readonly terminationGracePeriodSeconds?: number;
  /** While there is one, the pod is not scheduled. */
  readonly schedulingGates?: readonly { readonly name: string }[];
  /** Not of the API: the cache has left out the rest of the pod, which is too long; its characters. */
  readonly cutCharacters?: number;
}

/** A claim for devices, by its name or by that of its template. */
export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** How far the pod has come. */
export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly nominatedNodeName?: string;
  /** Which claims were made of the templates. Without a claim's name none is needed. */
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  /** The claim that kube-scheduler made for extended resources of DeviceClasses. */
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName?: string };
  readonly startTime?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  /** Of the pod as a whole: what it runs with, and what the kubelet has granted. */
  readonly resources?: ResourceRequirements;
  readonly allocatedResources?: ResourceList;
}

/**
 * What a container runs with (`resources`), and what the kubelet has granted: during a resize in place they differ from
 * the spec.
 */
export interface ContainerStatus {
  readonly name: string;
  readonly resources?: ResourceRequirements;
  readonly allocatedResources?: ResourceList;
}

/** What a container, or a pod as a whole, asks for and is held to. */
export interface ResourceRequirements {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

/** A container, as far as it takes room and ports. */
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly resources?: ResourceRequirements;
  readonly ports?: readonly ContainerPort[];
  /** `Always` on an init container makes it a sidecar: it keeps running beside the main containers. */
  readonly restartPolicy?: string;
}

/** A port of a container; with `hostPort` (1 to 65535) a port of its node as well. `protocol`: default `TCP`. */
export interface ContainerPort {
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly hostIP?: string;
  readonly protocol?: string;
}

/** A volume of a pod, as far as a claim stands behind it. */
export interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: {
    readonly volumeClaimTemplate?: { readonly spec?: { readonly storageClassName?: string; readonly accessModes?: readonly string[] } };
  };
}

/** What a pod asks of nodes, and of being near other pods or away from them. */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

/** Required terms are ORed, preferred ones weigh 1 to 100. */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] };
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[];
}

/** Required terms all hold, preferred ones weigh 1 to 100. The same shape for affinity and anti-affinity. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

/** Some pods by label and namespace, and the node label whose values are the places to meet or to miss them in. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** How unevenly pods may lie over the values of a node label: `maxSkew` more than in the emptiest of them. */
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
  readonly matchLabelKeys?: readonly string[];
}
