import type { CommittedPrice } from '../pricing/index.ts';
import type { KnownMachines } from './provisioning.ts';

export type NetworkPlugin = 'azure' | 'none';
export type NetworkPluginMode = 'overlay' | '';
export type NetworkDataplane = 'cilium' | 'azure' | '';

/** All options of the provider. */
export interface AzureOptions extends KnownMachines {
  readonly clusterName: string;
  /** `https://…:443`; nodes join its host name. */
  readonly clusterEndpoint: string;
  /** Of a machine's nominal memory, the part that its operating system never sees: 0.075 is 7.5 %. */
  readonly vmMemoryOverheadPercent: number;
  /** Secret. */
  readonly kubeletBootstrapToken: string;
  readonly linuxAdminUsername: string;
  readonly sshPublicKey: string;
  readonly networkPlugin: NetworkPlugin;
  readonly networkPluginMode: NetworkPluginMode;
  readonly networkPolicy: string;
  readonly networkDataplane: NetworkDataplane;
  /** Absent: the address of the Service kube-system/kube-dns. */
  readonly dnsServiceIp: string | undefined;
  /** Absent: asked of ARM when the overlay needs it. */
  readonly vnetGuid: string | undefined;
  readonly vnetSubnetId: string;
  /** ARM ids of user-assigned identities. */
  readonly nodeIdentities: readonly string[];
  readonly kubeletIdentityClientId: string;
  readonly nodeResourceGroup: string;
  readonly additionalTags: Readonly<Record<string, string>>;
  readonly diskEncryptionSetId: string | undefined;
  /** Where images come from; absent: the galleries of the community. */
  readonly sharedGalleries: SharedGalleries | undefined;
  /** Where AKS announces its maintenance windows. Absent: images are taken as they come. */
  readonly systemNamespace: string | undefined;
  readonly location: string;
  readonly subscriptionId: string;
  readonly tenantId: string | undefined;
  readonly cloud: CloudChoice;
  /** Base64 of PEM: whom nodes trust as API server. Absent: the certificate authority of the controller's own connection. */
  readonly clusterCaBundle: string | undefined;
  /** Absent: the public API on the public cloud, the static table elsewhere. */
  readonly retailPricesUrl: string | undefined;
  /** Of reservations and savings plans, in place of retail prices on demand. */
  readonly committedPrices: readonly CommittedPrice[];
  /** ARM ids of capacity reservation groups that machines may be made out of. */
  readonly capacityReservationGroups: readonly string[];
  /** Resource type or provider namespace → api-version that calls are made at where the subscription offers it. */
  readonly apiVersions: Readonly<Record<string, string>>;
  /** Whether the log, at its level debug, has what the SDK says of each call. */
  readonly logsSdkCalls: boolean;
  /** USD an hour. Absent: a spot machine may cost what it costs on demand. */
  readonly spotMaxPricePerHour: number | undefined;
  /** Whether spot sizes are chosen also by Azure's placement scores. */
  readonly usesSpotPlacementScores: boolean;
}

/** The galleries that AKS shares with clusters which it runs itself. */
export interface SharedGalleries {
  readonly subscriptionId: string;
  /** Who gives out tokens for the tenant that the galleries are in. Absent: AKS itself takes images out of them. */
  readonly tokenServerUrl: string | undefined;
}

export type CloudName = 'AzurePublicCloud' | 'AzureChinaCloud' | 'AzureUSGovernmentCloud';
/** A cloud that Microsoft runs, or the file that describes another one. */
export type CloudChoice = { readonly kind: 'named'; readonly name: CloudName } | { readonly kind: 'file'; readonly path: string };

/** Pods get their addresses from an overlay, not from the subnet. */
export const isOverlay = (options: Pick<AzureOptions, 'networkPlugin' | 'networkPluginMode'>): boolean =>
  options.networkPlugin === 'azure' && options.networkPluginMode === 'overlay';

/** What a class without `maxPods` gets. */
export const defaultMaxPodsOf = (options: Pick<AzureOptions, 'networkPlugin' | 'networkPluginMode'>): number =>
  options.networkPlugin === 'none' || isOverlay(options) ? 250 : 30;

export const apiServerNameOf = (options: Pick<AzureOptions, 'clusterEndpoint'>): string => new URL(options.clusterEndpoint).hostname;
