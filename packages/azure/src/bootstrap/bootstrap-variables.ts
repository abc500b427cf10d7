import { aksLabels, type MigProfile } from '../apis/index.ts';
import { minorOf } from '../images/index.ts';
import { type AzureOptions, isOverlay } from '../options/index.ts';
import { containerdConfigOf } from './containerd-config.ts';
import type { GpuDriver } from './gpu-driver.ts';
import { sysctlConfigOf } from './sysctl-config.ts';

/** All that a node's bootstrap depends on, as values. */
export interface BootstrapSource {
  readonly options: AzureOptions;
  readonly apiServerName: string;
  /** Base64 of PEM. */
  readonly caBundle: string;
  readonly kubernetesVersion: string;
  readonly architecture: 'amd64' | 'arm64';
  readonly subnet: { readonly resourceGroup: string; readonly vnet: string; readonly name: string };
  readonly networkSecurityGroup: string;
  readonly routeTable: string;
  /** Absent: the machine has no GPU, or its driver is left to the user. */
  readonly gpuDriver: GpuDriver | undefined;
  /** Absent: GPUs are not split when the node starts. */
  readonly migProfile?: MigProfile | undefined;
  /** `--name=value`, sorted. */
  readonly kubeletFlags: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Variables that apply the settings of a class, over all others. */
  readonly settings: Readonly<Record<string, string>>;
}

const MIRROR = 'https://acs-mirror.azureedge.net';
const CNI_VERSION = 'v1.4.32';
const CNI_PLUGINS_VERSION = 'v1.1.1';
const CREDENTIAL_PROVIDERS: Readonly<Record<number, string>> = { 30: '1.30.12', 31: '1.31.6', 32: '1.32.5' };

/** The UTF-8 bytes of a text in base64. */
export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const kubeBinaryUrl = (version: string, architecture: string, minor: number): string =>
  minor >= 34 ? '' : `${MIRROR}/kubernetes/v${version}/binaries/kubernetes-node-linux-${architecture}.tar.gz`;

const credentialProviderUrl = (architecture: string, minor: number): string => {
  if (minor < 30) return '';
  const version = CREDENTIAL_PROVIDERS[minor] ?? '1.33.0';
  return `${MIRROR}/cloud-provider-azure/v${version}/binaries/azure-acr-credential-provider-linux-${architecture}-v${version}.tar.gz`;
};

/** The overlay, pod subnets and Cilium bring their own plugin after the node has joined. */
const pluginOf = ({ options, labels }: BootstrapSource): string => {
  const hasOwnPlugin = isOverlay(options) || aksLabels.podNetworkType in labels || options.networkDataplane === 'cilium';
  return hasOwnPlugin || options.networkPlugin === 'none' ? 'none' : 'azure';
};

export const labelText = (labels: Readonly<Record<string, string>>): string =>
  Object.keys(labels)
    .sort()
    .map((key) => `${key}=${labels[key] ?? ''}`)
    .join(',');

const download = ({ kubernetesVersion, architecture }: BootstrapSource): Readonly<Record<string, string>> => {
  const minor = minorOf(kubernetesVersion) ?? Infinity;
  return {
    KUBERNETES_VERSION: kubernetesVersion,
    KUBE_BINARY_URL: kubeBinaryUrl(kubernetesVersion, architecture, minor),
    CREDENTIAL_PROVIDER_DOWNLOAD_URL: credentialProviderUrl(architecture, minor),
    VNET_CNI_PLUGINS_URL: `${MIRROR}/azure-cni/${CNI_VERSION}/binaries/azure-vnet-cni-linux-${architecture}-${CNI_VERSION}.tgz`,
    CNI_PLUGINS_URL: `${MIRROR}/cni-plugins/${CNI_PLUGINS_VERSION}/binaries/cni-plugins-linux-${architecture}-${CNI_PLUGINS_VERSION}.tgz`,
  };
};

const network = (source: BootstrapSource): Readonly<Record<string, string>> => ({
  NETWORK_PLUGIN: pluginOf(source),
  NETWORK_POLICY: source.options.networkPolicy,
  SUBNET: source.subnet.name,
  VIRTUAL_NETWORK: source.subnet.vnet,
  VIRTUAL_NETWORK_RESOURCE_GROUP: source.subnet.resourceGroup,
  NETWORK_SECURITY_GROUP: source.networkSecurityGroup,
  ROUTE_TABLE: source.routeTable,
});

const gpu = ({ gpuDriver: driver, migProfile }: BootstrapSource): Readonly<Record<string, string>> => ({
  GPU_NODE: String(driver !== undefined),
  CONFIG_GPU_DRIVER_IF_NEEDED: String(driver !== undefined),
  GPU_DRIVER_TYPE: driver?.type ?? '',
  GPU_DRIVER_VERSION: driver?.version ?? '',
  GPU_IMAGE_SHA: driver?.imageSuffix ?? '',
  ...(migProfile && { MIG_NODE: 'true', GPU_INSTANCE_PROFILE: migProfile }),
});

/** Name → value of what the scripts in an AKS node image read and what differs from node to node. */
export const bootstrapVariables = (source: BootstrapSource): Readonly<Record<string, string>> => ({
  API_SERVER_NAME: source.apiServerName,
  KUBE_CA_CRT: source.caBundle,
  TLS_BOOTSTRAP_TOKEN: source.options.kubeletBootstrapToken,
  TENANT_ID: source.options.tenantId ?? '',
  SUBSCRIPTION_ID: source.options.subscriptionId,
  RESOURCE_GROUP: source.options.nodeResourceGroup,
  LOCATION: source.options.location,
  USER_ASSIGNED_IDENTITY_ID: source.options.kubeletIdentityClientId,
  ...download(source),
  ...network(source),
  ...gpu(source),
  KUBELET_FLAGS: source.kubeletFlags.join(' '),
  KUBELET_NODE_LABELS: labelText(source.labels),
  CONTAINERD_CONFIG_CONTENT: base64(containerdConfigOf(source.gpuDriver !== undefined)),
  SYSCTL_CONTENT: base64(sysctlConfigOf()),
  SERVICE_PRINCIPAL_FILE_CONTENT: base64('msi'),
  ...source.settings,
});
