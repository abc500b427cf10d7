import { labels } from '@karpenter/core';
import { isLabelKey, isLabelValue } from '@karpenter/core/provider-kit';
import { type AKSNodeClass, aksLabels, isFips } from '../apis/index.ts';
import { minorOf, osSkuOf, resolveFamily } from '../images/index.ts';
import { type AzureOptions, isOverlay } from '../options/index.ts';
import { clusterLabelOf } from '../catalog/index.ts';

/** What the labels of a node depend on beside its claim and its type. */
export interface NodeLabelSource {
  readonly options: AzureOptions;
  readonly nodeClass: AKSNodeClass;
  readonly kubernetesVersion: string;
  readonly subnetName: string;
  /** Where pods get their addresses; absent: where their nodes do, or in an overlay. */
  readonly podSubnet?:
    { readonly subscriptionId: string; readonly resourceGroup: string; readonly vnet: string; readonly name: string } | undefined;
  readonly vnetGuid: string | undefined;
}

const KUBELET_MAY_SET: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);

/**
 * Whether a node may join with a label: a kubelet with any other under `kubernetes.io` or `k8s.io` does not start.
 * Source: Kubernetes, NodeRestriction.
 */
export const mayKubeletSet = (key: string): boolean => {
  const domain = key.split('/')[0] ?? '';
  if (!/(^|\.)(kubernetes|k8s)\.io$/.test(domain) || KUBELET_MAY_SET.has(key)) return true;
  return /(^|\.)(kubelet|node)\.kubernetes\.io$/.test(domain);
};

const overlayLabels = ({ kubernetesVersion, subnetName, vnetGuid }: NodeLabelSource): Readonly<Record<string, string>> => ({
  [aksLabels.azureCniOverlay]: 'true',
  [aksLabels.podNetworkType]: 'overlay',
  [aksLabels.networkSubnet]: subnetName,
  [aksLabels.networkStatelessCni]: String((minorOf(kubernetesVersion) ?? 0) >= 34),
  ...(vnetGuid !== undefined && { [aksLabels.nodeNetworkVnetGuid]: vnetGuid }),
});

/**
 * AKS gives a node addresses of the pod subnet that its labels name, to pods as they come. The GUID of the network and the
 * name of the subnet identify the subnet.
 * Source: Azure/azure-container-networking (NodeNetworkConfig), Azure/karpenter-provider-azure#1855.
 */
const podSubnetLabels = ({ podSubnet, subnetName, vnetGuid }: NodeLabelSource): Readonly<Record<string, string>> => {
  if (podSubnet === undefined) return {};
  const all = {
    [aksLabels.podNetworkType]: 'vnet',
    [aksLabels.podNetworkSubscription]: podSubnet.subscriptionId,
    [aksLabels.podNetworkResourceGroup]: podSubnet.resourceGroup,
    [aksLabels.podNetworkName]: podSubnet.vnet,
    [aksLabels.podNetworkSubnet]: podSubnet.name,
    [aksLabels.podNetworkDelegationGuid]: vnetGuid ?? '',
    [aksLabels.nodeNetworkVnetGuid]: vnetGuid ?? '',
    [aksLabels.networkSubnet]: subnetName,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

const familyLabel = (source: NodeLabelSource): string => {
  const family = resolveFamily(source.nodeClass.spec ?? {}, source.kubernetesVersion);
  return family === 'Ubuntu2004' ? 'Ubuntu' : family;
};

const baseLabels = (source: NodeLabelSource): Readonly<Record<string, string>> => {
  const { options, nodeClass } = source;
  const spec = nodeClass.spec ?? {};
  return {
    [aksLabels.role]: 'agent',
    [aksLabels.cluster]: clusterLabelOf(options.nodeResourceGroup),
    [aksLabels.kubeletIdentityClientId]: options.kubeletIdentityClientId,
    [aksLabels.mode]: 'user',
    [aksLabels.scaleSetPriority]: 'regular',
    [aksLabels.priority]: 'regular',
    [aksLabels.osSku]: osSkuOf(spec),
    [aksLabels.osSkuEffective]: familyLabel(source),
    [aksLabels.osSkuRequested]: spec.imageFamily ?? 'Ubuntu',
    [aksLabels.localDnsState]: nodeClass.status?.localDNSState === 'Enabled' ? 'enabled' : 'disabled',
    [labels.doNotSyncTaints]: 'true',
    ...(isFips(nodeClass) && { [aksLabels.fipsEnabled]: 'true' }),
    ...(options.networkDataplane === 'cilium' && { [aksLabels.ebpfDataplane]: 'cilium' }),
    ...(isOverlay(options) && overlayLabels(source)),
    ...podSubnetLabels(source),
  };
};

const streamingLabel = ({ nodeClass }: NodeLabelSource, architecture: string | undefined): Readonly<Record<string, string>> =>
  nodeClass.spec?.artifactStreaming?.enabled === true && architecture !== 'arm64' ? { [aksLabels.artifactStreaming]: 'true' } : {};

/**
 * The labels that a kubelet registers with: what every node of the class has, and over it what is known of this machine.
 * Labels with which no kubelet starts are left out, such as the name of a subnet that no label may have.
 */
export const nodeLabelsOf = (
  source: NodeLabelSource,
  machineLabels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const all = { ...baseLabels(source), ...streamingLabel(source, machineLabels[labels.arch]), ...machineLabels };
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => mayKubeletSet(key) && isLabelKey(key) && isLabelValue(value)));
};
