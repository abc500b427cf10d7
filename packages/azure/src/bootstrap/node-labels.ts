import { labels } from '@karpenter/core';
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
  };
};

const streamingLabel = ({ nodeClass }: NodeLabelSource, architecture: string | undefined): Readonly<Record<string, string>> =>
  nodeClass.spec?.artifactStreaming?.enabled === true && architecture !== 'arm64' ? { [aksLabels.artifactStreaming]: 'true' } : {};

/** The labels that a kubelet registers with: what every node of the class has, and over it what is known of this machine. */
export const nodeLabelsOf = (
  source: NodeLabelSource,
  machineLabels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const all = { ...baseLabels(source), ...streamingLabel(source, machineLabels[labels.arch]), ...machineLabels };
  return Object.fromEntries(Object.entries(all).filter(([key]) => mayKubeletSet(key)));
};
