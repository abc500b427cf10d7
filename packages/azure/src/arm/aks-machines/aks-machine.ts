import type { MigProfile } from '../../apis/index.ts';
import type { AksKubeletConfig, AksLinuxConfig, AksLocalDns } from '../../bootstrap/index.ts';

/**
 * A machine of an agent pool, as the AKS machine API has it. Source: Microsoft.ContainerService, `agentPools/machines`
 * (preview).
 */
export interface AksMachineBody {
  /** Logical zones; absent: anywhere in the region. */
  readonly zones?: readonly string[];
  readonly properties: AksMachineProperties;
}

export interface AksMachineProperties {
  /**
   * `AKSUbuntu-2204gen2containerd-202611.03.0`. The published models call it read-only; AKS takes it, and the original
   * sends it.
   */
  readonly nodeImageVersion?: string;
  /** Absent: that of the pool. */
  readonly network?: { readonly vnetSubnetID?: string; readonly podSubnetID?: string };
  readonly hardware: {
    readonly vmSize: string;
    readonly gpuProfile?: { readonly driver: 'Install' | 'None' };
    readonly gpuInstanceProfile?: MigProfile;
    readonly ultraSsdEnabled?: boolean;
  };
  readonly operatingSystem: {
    readonly osType: 'Linux';
    readonly osSKU: string;
    readonly osDiskSizeGB: number;
    readonly osDiskType: 'Managed' | 'Ephemeral';
    readonly enableFIPS: boolean;
    readonly linuxProfile?: { readonly linuxOSConfig: AksLinuxConfig };
  };
  readonly kubernetes: {
    readonly nodeLabels: Readonly<Record<string, string>>;
    readonly orchestratorVersion: string;
    readonly kubeletConfig?: AksKubeletConfig;
    readonly nodeInitializationTaints: readonly string[];
    readonly nodeTaints: readonly string[];
    readonly maxPods: number;
    /** Absent: off. */
    readonly artifactStreamingProfile?: { readonly enabled: boolean };
  };
  readonly mode: 'System' | 'User';
  readonly security: {
    readonly sshAccess: 'LocalUser';
    readonly enableEncryptionAtHost?: boolean;
    readonly enableVTPM?: boolean;
    readonly enableSecureBoot?: boolean;
  };
  readonly priority?: 'Regular' | 'Spot';
  /** USD an hour for a spot machine; absent: up to its price on demand. */
  readonly billing?: { readonly spotMaxPrice: number };
  readonly tags?: Readonly<Record<string, string>>;
  readonly localDNSProfile?: AksLocalDns;
}

/** Why a machine did not come; the code that says it best is in the details. */
export interface AksMachineError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly AksMachineError[];
}

/** What AKS adds to the properties of a machine that is there, and takes from nobody. */
interface AddedByAks {
  readonly network?: { readonly vnetSubnetID?: string; readonly ipAddresses?: readonly unknown[] };
  readonly kubernetes: { readonly currentOrchestratorVersion?: string; readonly nodeName?: string };
  readonly localDNSProfile?: { readonly state?: string };
}

/** A machine that is there. */
export interface AksMachine extends Pick<AksMachineBody, 'zones'> {
  readonly id: string;
  readonly name: string;
  readonly properties: Omit<AksMachineProperties, 'network'> &
    AddedByAks & {
      readonly provisioningState?: string;
      /** ARM id of the VM that it is. */
      readonly resourceId?: string;
      readonly eTag?: string;
      readonly status?: {
        readonly creationTimestamp?: string;
        readonly driftAction?: string;
        /** `Deleted`: somebody, or an eviction, has taken its VM away; AKS keeps the machine. */
        readonly vmState?: string;
        readonly provisioningError?: AksMachineError;
      };
    };
}
