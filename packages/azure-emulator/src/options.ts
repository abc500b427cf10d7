import type { Clock } from '@karpenter/runtime';
import { type ArmBehaviours, EVERY_BEHAVIOUR } from './behaviours.ts';
import type { OfferedSizes } from './compute/sizes/sku-catalog.ts';
import type { ArmCertificates } from './serve/certificates.ts';

/** How long Azure takes, in milliseconds of the emulator's clock. */
export interface ArmLatencies {
  readonly vmCreateMs: number;
  readonly vmUpdateMs: number;
  /** Source of minutes: gardener/machine-controller-manager#201, gardener/machine-controller-manager#242. */
  readonly vmDeleteMs: number;
  readonly extensionMs: number;
  readonly nicCreateMs: number;
  readonly nicDeleteMs: number;
  readonly diskDeleteMs: number;
  /**
   * How long a write stays unseen by Resource Graph. Source of a minute: MicrosoftDocs/azure-docs#19879 (95 % of updates
   * are seen within one).
   */
  readonly resourceGraphDelayMs: number;
  /** From the notice of an eviction to the end of a spot machine. */
  readonly evictionNoticeMs: number;
}

/** vCPU limits of the subscription in its location. */
export interface ArmQuotas {
  /** Total regional vCPUs, on-demand. */
  readonly cores: number;
  /** All spot vCPUs of the region. */
  readonly lowPriorityCores: number;
  /** The limit of each family that `families` does not name. */
  readonly coresPerFamily: number;
  /** Family (`standardDSv3Family`) → limit. */
  readonly families: Readonly<Record<string, number>>;
}

/** An outbound rule of the security group of nodes. */
export interface ArmOutboundRule {
  readonly name: string;
  readonly priority: number;
  readonly access: 'Allow' | 'Deny';
  /** Default `*`, as of all below. */
  readonly protocol?: string;
  /** Address range or service tag. */
  readonly source?: string;
  readonly destination?: string | readonly string[];
  /** `443`, or `80-443`. */
  readonly ports?: string;
}

/** How traffic leaves the network of nodes. Default by the load balancer, through Azure's own rules. */
export interface ArmEgressOptions {
  /** Of the cluster: `loadBalancer` where it is absent. */
  readonly outboundType?: string;
  readonly hasPrivateApiServer?: boolean;
  /** Of the security group that subnets and interfaces have, before those of Azure. */
  readonly rules?: readonly ArmOutboundRule[];
  /** Of the route table of every subnet; absent: they have none. */
  readonly routes?: readonly {
    readonly name: string;
    readonly addressPrefix: string;
    readonly nextHopType: string;
    readonly nextHopIpAddress?: string;
  }[];
  /** Whether the route table takes routes of gateways. Default true. */
  readonly hasRoutesOfGateways?: boolean;
  /** Whether subnets have a NAT gateway. Default false. */
  readonly hasNatGateway?: boolean;
}

/** A virtual network; with a name of its own it is one that the user brought, in the resource group of the cluster. */
export interface ArmNetworkOptions {
  readonly vnet?: string;
  /** Name → address range. The first is the account's `subnetId`. */
  readonly subnets: Readonly<Record<string, string>>;
  /** Name → IPv6 range of subnets that have both families: `fd00:1::/64`. */
  readonly ipv6?: Readonly<Record<string, string>>;
  readonly egress?: ArmEgressOptions;
}

export interface ArmEmulatorOptions {
  readonly clock: Clock;
  /** One of the regions in `data`. Default `eastus`. */
  readonly location?: string;
  /** The only sizes that its location offers and has prices of. Default all, some 1,300; `EVERYDAY_SIZES` are few. */
  readonly sizes?: OfferedSizes;
  /** Settles every id, token and random fault. Default 1. */
  readonly seed?: number;
  readonly latencies?: Partial<ArmLatencies>;
  readonly quotas?: Partial<ArmQuotas>;
  /** The `Retry-After` of polls, in seconds of the client; 0 leaves the header out. Default 1. */
  readonly pollAfterSeconds?: number;
  /**
   * Throttles reads, writes and deletes as ARM does for one principal of one subscription. Default false. Source: Azure
   * Resource Manager, "Request limits and throttling"; Azure/azure-cli#15765.
   */
  readonly throttling?: boolean;
  /** Default a free port. */
  readonly port?: number;
  /** From `createArmCertificates`, so that a restarted emulator stays trusted. Default new ones. */
  readonly certificates?: ArmCertificates;
  /** The network of the cluster. Default the one that AKS manages: `aks-vnet-…` with `aks-subnet`, 10.224.0.0/16. */
  readonly network?: ArmNetworkOptions;
  readonly clusterName?: string;
  /** What Azure does that clients do not expect, each by itself. Default none; `UNKIND_AZURE` has all. */
  readonly behaviours?: Partial<ArmBehaviours>;
  /**
   * The api-versions that a resource provider is registered with. Default: that of the published models for
   * `Microsoft.ContainerService`, any for the others. Source of the refusal: Azure/azure-cli#23985,
   * Azure/azure-cli#28496.
   */
  readonly apiVersions?: Readonly<Record<string, readonly string[]>>;
  /** Rows of one page of any list. Default what Azure uses for each. */
  readonly pageSize?: number;
  /** Spot placement scores by size, or by size and zone (`Standard_D4s_v5/1`): `High`, `Medium`, `Low`. Default High. */
  readonly spotScores?: Readonly<Record<string, string>>;
}

export const DEFAULT_LATENCIES: ArmLatencies = {
  vmCreateMs: 20_000,
  vmUpdateMs: 3_000,
  vmDeleteMs: 15_000,
  extensionMs: 5_000,
  nicCreateMs: 1_500,
  nicDeleteMs: 1_000,
  diskDeleteMs: 1_000,
  resourceGraphDelayMs: 5_000,
  evictionNoticeMs: 30_000,
};

/** An Azure on a bad day: every behaviour, throttling, deletes of minutes, and a Resource Graph that is a minute behind. */
export const UNKIND_AZURE = {
  behaviours: EVERY_BEHAVIOUR,
  throttling: true,
  /** A subscription that offers what others had a year ago. */
  apiVersions: { 'Microsoft.Compute': ['2024-11-01', '2025-04-01'], 'Microsoft.Network': ['2024-05-01', '2025-01-01'] },
  latencies: { vmDeleteMs: 180_000, resourceGraphDelayMs: 60_000 },
} as const satisfies Partial<ArmEmulatorOptions>;

export const DEFAULT_QUOTAS: ArmQuotas = { cores: 10_000, lowPriorityCores: 10_000, coresPerFamily: 10_000, families: {} };

export const DEFAULT_NETWORK: ArmNetworkOptions = { subnets: { 'aks-subnet': '10.224.0.0/16' } };
