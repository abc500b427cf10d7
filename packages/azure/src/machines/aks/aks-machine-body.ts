import type { NodeClaim } from '@karpenter/core';
import { type AKSNodeClass, aksLabels, isFips, legacyAksLabels } from '../../apis/index.ts';
import { aksKubeletConfigOf, aksLinuxConfigOf, aksLocalDnsOf, mayKubeletSet, nodeTaintsOf, taintText } from '../../bootstrap/index.ts';
import { migProfileOf, osDiskSizeGBOf } from '../../catalog/index.ts';
import { resolveFamily } from '../../images/index.ts';
import { gpuOf, type Sku } from '../../skus/index.ts';
import type { AksMachineBody, AksMachineProperties } from '../../arm/aks-machines/aks-machine.ts';

/** All that a machine of an agent pool depends on, as values. */
export interface AksMachineSource {
  readonly nodeClass: AKSNodeClass;
  readonly claim: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>;
  readonly sku: Sku;
  readonly kubernetesVersion: string;
  readonly nodeImageVersion: string;
  /** ARM id; absent: the subnet of the agent pool. */
  readonly vnetSubnetID: string | undefined;
  /** The logical zone (`1`); absent: anywhere in the region. */
  readonly zone: string | undefined;
  readonly isSpot: boolean;
  /** USD an hour for a spot machine; absent: up to its price on demand. */
  readonly spotMaxPricePerHour: number | undefined;
  readonly isEphemeral: boolean;
  readonly hasUltraSsd: boolean;
  readonly maxPods: number;
  /** What is wanted on the node; AKS and kubelet bring their own. */
  readonly labels: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** AKS writes these itself and refuses them from others. */
const isOfAks = (key: string): boolean =>
  legacyAksLabels.includes(key) ||
  /^(kubernetes\.azure\.com|topology\.kubernetes\.io|failure-domain\.beta\.kubernetes\.io)\//.test(key) ||
  /^(beta\.)?kubernetes\.io\/(arch|os|instance-type|hostname)$/.test(key) ||
  key === 'node.kubernetes.io/instance-type';

const osSkuOf = ({ nodeClass, kubernetesVersion }: AksMachineSource): string => {
  const family = resolveFamily(nodeClass.spec ?? {}, kubernetesVersion);
  if (family.startsWith('AzureLinux')) return 'AzureLinux';
  return isFips(nodeClass) ? 'Ubuntu' : family;
};

const systemOf = (source: AksMachineSource): AksMachineProperties['operatingSystem'] => {
  const { linuxOSConfig } = source.nodeClass.spec ?? {};
  return {
    osType: 'Linux',
    osSKU: osSkuOf(source),
    osDiskSizeGB: osDiskSizeGBOf(source.nodeClass),
    osDiskType: source.isEphemeral ? 'Ephemeral' : 'Managed',
    enableFIPS: isFips(source.nodeClass),
    ...(linuxOSConfig && { linuxProfile: { linuxOSConfig: aksLinuxConfigOf(linuxOSConfig) } }),
  };
};

/** All taints are such as the node starts with: AKS would put others back that somebody takes away. */
const kubernetesOf = (source: AksMachineSource): AksMachineProperties['kubernetes'] => {
  const { artifactStreaming, kubelet } = source.nodeClass.spec ?? {};
  return {
    nodeLabels: Object.fromEntries(Object.entries(source.labels).filter(([key]) => mayKubeletSet(key) && !isOfAks(key))),
    orchestratorVersion: source.kubernetesVersion,
    nodeInitializationTaints: nodeTaintsOf(source.claim).map(taintText),
    nodeTaints: [],
    maxPods: source.maxPods,
    // A feature of the subscription: without it AKS refuses the member, whatever it says.
    ...(source.sku.architecture !== 'arm64' && artifactStreaming?.enabled === true && { artifactStreamingProfile: { enabled: true } }),
    ...(kubelet && { kubeletConfig: aksKubeletConfigOf(kubelet) }),
  };
};

const securityOf = ({ spec }: AKSNodeClass): AksMachineProperties['security'] => {
  const { encryptionAtHost, trustedLaunch: { vtpm, secureBoot } = {} } = spec?.security ?? {};
  return {
    sshAccess: 'LocalUser',
    ...(encryptionAtHost !== undefined && { enableEncryptionAtHost: encryptionAtHost }),
    ...(vtpm !== undefined && { enableVTPM: vtpm }),
    ...(secureBoot !== undefined && { enableSecureBoot: secureBoot }),
  };
};

/** AKS has no driver for AMD GPUs, but installs one unless the request says `None`. */
const driverOf = ({ sku, nodeClass }: AksMachineSource): 'Install' | 'None' | undefined => {
  const gpu = gpuOf(sku.name);
  if (gpu === undefined) return undefined;
  return gpu.manufacturer === 'amd' || nodeClass.spec?.gpu?.mode === 'None' ? 'None' : 'Install';
};

const gpuProfilesOf = (source: AksMachineSource): Pick<AksMachineProperties['hardware'], 'gpuProfile' | 'gpuInstanceProfile'> => {
  const driver = driverOf(source);
  const gpuInstanceProfile = migProfileOf(source.nodeClass.spec ?? {}, source.sku.name);
  return { ...(driver && { gpuProfile: { driver } }), ...(gpuInstanceProfile && { gpuInstanceProfile }) };
};

const hardwareOf = (source: AksMachineSource): AksMachineProperties['hardware'] => ({
  vmSize: source.sku.name,
  ...gpuProfilesOf(source),
  ...(source.hasUltraSsd && { ultraSsdEnabled: true }),
});

const purchaseOf = ({ isSpot, spotMaxPricePerHour }: AksMachineSource): Pick<AksMachineProperties, 'priority' | 'billing'> => ({
  priority: isSpot ? 'Spot' : 'Regular',
  ...(isSpot && spotMaxPricePerHour !== undefined && { billing: { spotMaxPrice: spotMaxPricePerHour } }),
});

const networkOf = ({ vnetSubnetID, nodeClass }: AksMachineSource): Pick<AksMachineProperties, 'network'> => {
  const { podSubnetID } = nodeClass.spec ?? {};
  if (vnetSubnetID === undefined && podSubnetID === undefined) return {};
  return { network: { ...(vnetSubnetID !== undefined && { vnetSubnetID }), ...(podSubnetID !== undefined && { podSubnetID }) } };
};

/** What is PUT for a machine of an agent pool. The same source gives the same bytes. */
export const aksMachineBodyOf = (source: AksMachineSource): AksMachineBody => {
  const { nodeClass, zone, labels } = source;
  const localDNSProfile = aksLocalDnsOf(nodeClass);
  return {
    ...(zone !== undefined && { zones: [zone] }),
    properties: {
      nodeImageVersion: source.nodeImageVersion,
      ...networkOf(source),
      hardware: hardwareOf(source),
      operatingSystem: systemOf(source),
      kubernetes: kubernetesOf(source),
      mode: labels[aksLabels.mode] === 'system' ? 'System' : 'User',
      security: securityOf(nodeClass),
      ...purchaseOf(source),
      tags: source.tags,
      ...(localDNSProfile && { localDNSProfile }),
    },
  };
};
