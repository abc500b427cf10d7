import type { Condition } from '@karpenter/core';
import type { NodeClass } from '@karpenter/core/provider-kit';

/** `spec.httpProxyConfig`: how nodes reach what is outside the cluster. Members are named as AKS names them. */
export interface HTTPProxyConfig {
  /** `http://proxy.example:3128` */
  readonly httpProxy?: string;
  /** Absent: `httpProxy`. */
  readonly httpsProxy?: string;
  /** Hosts, domains with a leading dot, addresses and CIDRs that are reached directly. */
  readonly noProxy?: readonly string[];
  /** Base64 of the PEM certificate of the proxy's own authority. */
  readonly trustedCa?: string;
}

/** `spec.linuxOSConfig`. */
export interface LinuxOSConfig {
  readonly swapFileSize?: string;
  readonly transparentHugePageEnabled?: 'always' | 'madvise' | 'never';
  readonly transparentHugePageDefrag?: 'always' | 'defer' | 'defer+madvise' | 'madvise' | 'never';
  /** Sysctl by its AKS name (`netCoreSomaxconn`); which there are and their ranges: the CRD. */
  readonly sysctls?: Readonly<Record<string, number | boolean | string>>;
}

/** `spec.localDNS`: a DNS cache on each node. */
export interface LocalDNS {
  readonly mode: 'Preferred' | 'Required' | 'Disabled';
  readonly vnetDNSOverrides?: readonly LocalDNSZone[];
  readonly kubeDNSOverrides?: readonly LocalDNSZone[];
}

export interface LocalDNSZone {
  readonly zone: string;
  readonly queryLogging: 'Error' | 'Log';
  readonly protocol: 'PreferUDP' | 'ForceTCP';
  readonly forwardDestination: 'ClusterCoreDNS' | 'VnetDNS';
  readonly forwardPolicy: 'Sequential' | 'RoundRobin' | 'Random';
  readonly maxConcurrent: number;
  readonly cacheDuration: string;
  readonly serveStaleDuration: string;
  readonly serveStale: 'Verify' | 'Immediate' | 'Disable';
}

/** `spec.kubelet`. Reserved resources, evictions and cluster DNS are computed and cannot be set. */
export interface KubeletConfiguration {
  readonly cpuManagerPolicy?: 'none' | 'static';
  readonly cpuCFSQuota?: boolean;
  readonly cpuCFSQuotaPeriod?: string;
  readonly imageGCHighThresholdPercent?: number;
  readonly imageGCLowThresholdPercent?: number;
  readonly topologyManagerPolicy?: 'restricted' | 'best-effort' | 'none' | 'single-numa-node';
  readonly allowedUnsafeSysctls?: readonly string[];
  readonly containerLogMaxSize?: string;
  readonly containerLogMaxFiles?: number;
  readonly podPidsLimit?: number;
  readonly failSwapOn?: boolean;
}

/**
 * karpenter.azure.com AKSNodeClass as plain JSON: how the machines of a NodePool are made. v1beta1 is stored, v1alpha2
 * has the same shape.
 */
export interface AKSNodeClass {
  readonly apiVersion: 'karpenter.azure.com/v1beta1' | 'karpenter.azure.com/v1alpha2';
  readonly kind: 'AKSNodeClass';
  readonly metadata: NodeClass['metadata'];
  readonly spec?: AKSNodeClassSpec;
  readonly status?: AKSNodeClassStatus;
}

export type ImageFamilyName = 'Ubuntu' | 'Ubuntu2204' | 'Ubuntu2404' | 'AzureLinux';

/** An empty spec is legal and gives Ubuntu on a disk of 128 GB. */
export interface AKSNodeClassSpec {
  /** ARM id of a subnet; absent: the controller's option. */
  readonly vnetSubnetID?: string;
  /** ARM ids of more subnets that nodes may join; changes only where new nodes go. */
  readonly additionalSubnetIDs?: readonly string[];
  /** ARM id of a subnet whose addresses pods get; absent: those of the nodes' subnet, or of the overlay. */
  readonly podSubnetID?: string;
  /** Families of the node's own addresses; absent: IPv4. */
  readonly ipFamilies?: readonly ('IPv4' | 'IPv6')[];
  readonly osDiskSizeGB?: number;
  /** ARM id of the set that the OS disk is encrypted with; absent: that of the controller's option. */
  readonly diskEncryptionSetID?: string;
  /** ARM id of a group whose machines stand close to each other. */
  readonly proximityPlacementGroupID?: string;
  readonly imageFamily?: ImageFamilyName;
  readonly fipsMode?: 'FIPS' | 'Disabled';
  /** Changed in place on running machines; no reason to drift. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly kubelet?: KubeletConfiguration;
  readonly maxPods?: number;
  readonly security?: {
    readonly encryptionAtHost?: boolean;
    readonly trustedLaunch?: { readonly vtpm?: boolean; readonly secureBoot?: boolean };
    readonly confidentialVM?: ConfidentialVM;
    /** Base64 of PEM, one each. */
    readonly customCATrustCertificates?: readonly string[];
  };
  readonly localDNS?: LocalDNS;
  readonly gpu?: { readonly mode?: 'Driver' | 'None'; readonly mig?: GpuMig };
  readonly artifactStreaming?: { readonly enabled?: boolean };
  readonly linuxOSConfig?: LinuxOSConfig;
  readonly httpProxyConfig?: HTTPProxyConfig;
}

/** Machines whose memory their host cannot read. An empty one is legal. */
export interface ConfidentialVM {
  /** Azure's `securityEncryptionType`: of the firmware's state alone (default), or of the whole OS disk too. */
  readonly osDiskEncryption?: 'VMGuestStateOnly' | 'DiskWithVMGuestState';
}

/** Profiles with which AKS fills all GPUs of a node when it starts. */
export const migProfiles = ['MIG1g', 'MIG2g', 'MIG3g', 'MIG4g', 'MIG7g'] as const;

export type MigProfile = (typeof migProfiles)[number];

/** Whether GPUs are split: while the node runs (`Dynamic`), or when it starts. */
export type GpuMig = 'None' | 'Dynamic' | MigProfile;

export const isMigProfile = (mig: GpuMig): mig is MigProfile => migProfiles.some((profile) => profile === mig);

export interface AKSNodeClassStatus {
  /** In order of preference: a machine gets the first whose requirements its size meets. */
  readonly images?: readonly NodeImage[];
  /** Without a leading `v`. */
  readonly kubernetesVersion?: string;
  readonly localDNSState?: 'Enabled' | 'Disabled';
  readonly conditions?: readonly Condition[];
}

export interface NodeImage {
  readonly id: string;
  readonly requirements: readonly { readonly key: string; readonly operator: 'In'; readonly values: readonly string[] }[];
}
