import type { ApiObject, KindRef } from '@karpenter/api-server';
import type { Container, ContainerStatus, PodSpec, PodStatus, Volume } from '@karpenter/core/internal';

/** The claim of an ephemeral volume is named after pod and volume. */
export const ephemeralClaimName = ({ metadata }: PodObject, volumeName: string): string => `${metadata.name ?? ''}-${volumeName}`;

/** Names of the PersistentVolumeClaims of a pod, in the order of its volumes. */
export const claimNamesOf = (pod: PodObject): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [ephemeralClaimName(pod, name)];
  });

/** Whether all containers have ended for good. */
export const hasEnded = (pod: PodObject): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isBeingDeleted = (object: ApiObject): boolean => object.metadata.deletionTimestamp !== undefined;

/** Whether a controller counts the pod among its replicas. */
export const countsAsReplica = (pod: PodObject): boolean => !hasEnded(pod) && !isBeingDeleted(pod);

export const isReady = (pod: PodObject): boolean =>
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;

export interface KubeletContainerStatus extends ContainerStatus {
  readonly image: string;
  readonly imageID: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, unknown>>;
}

export interface KubeletPodStatus extends PodStatus {
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName: string; readonly requestMappings: readonly object[] };
  readonly reason?: string;
  readonly message?: string;
  readonly hostIP?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly qosClass?: string;
  readonly observedGeneration?: number;
  readonly containerStatuses?: readonly KubeletContainerStatus[];
  readonly initContainerStatuses?: readonly KubeletContainerStatus[];
}

export interface WorkloadPodSpec extends PodSpec {
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly volumes?: readonly (Volume & { readonly hostPath?: { readonly path: string } })[];
}

/** A v1 Pod, as far as the binder, the kubelets and the workload controllers read it. */
export interface PodObject extends ApiObject {
  readonly spec: WorkloadPodSpec;
  readonly status?: KubeletPodStatus;
}

export type { Container };

export const podKind: KindRef<PodObject> = { kind: 'Pod', apiVersion: 'v1' };
