import type { Condition, Container, PodSpec, ResourceList } from '@karpenter/core';
import type { KindRef, KubeObject } from '@karpenter/api-server';

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, unknown>>;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly allocatedResources?: ResourceList;
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly nominatedNodeName?: string;
  readonly startTime?: string;
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName: string; readonly requestMappings: readonly object[] };
  readonly reason?: string;
  readonly message?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly qosClass?: string;
  readonly observedGeneration?: number;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly allocatedResources?: ResourceList;
}

export interface WorkloadPodSpec extends PodSpec {
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
}

/** A v1 Pod, as far as the binder, the kubelets and the workload controllers read it. */
export interface Pod extends KubeObject {
  readonly spec: WorkloadPodSpec;
  readonly status?: PodStatus;
}

export type { Container };

export const pods: KindRef<Pod> = { kind: 'Pod', apiVersion: 'v1' };
