import type { NodeClaim } from '@karpenter/core';
import { type AKSNodeClass, aksLabels, isFips } from '../apis/index.ts';
import { osSkuOf } from '../images/index.ts';
import { gpuOf, type Sku } from '../skus/index.ts';
import { type AksKubeletConfig, aksKubeletConfigOf } from './aks-kubelet-config.ts';
import { type AksLinuxConfig, aksLinuxConfigOf } from './aks-linux-config.ts';
import { type AksLocalDns, aksLocalDnsOf } from './aks-local-dns.ts';
import { gpuDriverOf } from './gpu-driver.ts';
import { initializationTaintsOf, taintText } from './node-taints.ts';

/** The properties of a node for the node bootstrapping service. Source: the original's `pkg/provisionclients/swagger`. */
export interface ProvisionValues {
  readonly provisionProfile: ProvisionProfile;
  readonly provisionHelperValues: { readonly skuCPU: number; readonly skuMemory: number };
}

interface ProvisionProfile {
  readonly name: string;
  readonly architecture: 'x64' | 'Arm64';
  readonly osType: number;
  readonly osSku: number;
  readonly vmSize: string;
  readonly distro: string;
  readonly customNodeLabels: Readonly<Record<string, string>>;
  readonly orchestratorVersion: string;
  readonly vnetSubnetID: string;
  readonly vnetCidrs: readonly string[];
  readonly storageProfile: 'ManagedDisks' | 'Ephemeral';
  readonly nodeInitializationTaints: readonly string[];
  readonly nodeTaints: readonly string[];
  readonly maxPods: number;
  readonly mode: number;
  readonly securityProfile: { readonly sshAccess: number; readonly enableVTPM?: boolean; readonly enableSecureBoot?: boolean };
  readonly enableFIPS: boolean;
  readonly artifactStreamingProfile: { readonly enabled: boolean };
  readonly customKubeletConfig?: AksKubeletConfig;
  readonly customLinuxOSConfig?: AksLinuxConfig;
  readonly localDNSProfile?: AksLocalDns;
  readonly gpuProfile?: { readonly driverType: number; readonly installGPUDriver: boolean };
}

/** All that they depend on, as values. */
export interface ProvisionSource {
  readonly nodeClass: AKSNodeClass;
  readonly claim: Pick<NodeClaim['spec'], 'taints' | 'startupTaints'>;
  readonly sku: Sku;
  readonly kubernetesVersion: string;
  /** Of the image, as the service calls it. */
  readonly distro: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly subnetId: string;
  readonly maxPods: number;
  readonly isEphemeral: boolean;
}

/** The service's numbers for what has a name elsewhere. */
const LINUX = 2;
const OS_SKUS = { Ubuntu: 1, AzureLinux: 7 } as const;
const MODES = { system: 1, user: 2 } as const;
const SSH_FOR_LOCAL_USER = 0;
const DRIVERS = { grid: 2, cuda: 3 } as const;

const gpuProfileOf = ({ sku, nodeClass }: ProvisionSource): ProvisionProfile['gpuProfile'] => {
  if (gpuOf(sku.name)?.manufacturer !== 'nvidia') return undefined;
  return {
    driverType: gpuDriverOf(sku.name).type.startsWith('grid') ? DRIVERS.grid : DRIVERS.cuda,
    installGPUDriver: (nodeClass.spec?.gpu?.mode ?? 'Driver') === 'Driver',
  };
};

const securityOf = ({ spec }: AKSNodeClass): ProvisionProfile['securityProfile'] => {
  const { vtpm, secureBoot } = spec?.security?.trustedLaunch ?? {};
  return {
    sshAccess: SSH_FOR_LOCAL_USER,
    ...(vtpm !== undefined && { enableVTPM: vtpm }),
    ...(secureBoot !== undefined && { enableSecureBoot: secureBoot }),
  };
};

const settingsOf = (source: ProvisionSource): Partial<ProvisionProfile> => {
  const { kubelet, linuxOSConfig } = source.nodeClass.spec ?? {};
  const localDNSProfile = aksLocalDnsOf(source.nodeClass);
  const gpuProfile = gpuProfileOf(source);
  return {
    ...(kubelet && { customKubeletConfig: aksKubeletConfigOf(kubelet) }),
    ...(linuxOSConfig && { customLinuxOSConfig: aksLinuxConfigOf(linuxOSConfig) }),
    ...(localDNSProfile && { localDNSProfile }),
    ...(gpuProfile && { gpuProfile }),
  };
};

/** The request to the service for a node. Its memory is the nominal memory of the size, in whole GiB. */
export const provisionValuesOf = (source: ProvisionSource): ProvisionValues => {
  const { nodeClass, claim, sku, labels } = source;
  const isArm = sku.architecture === 'arm64';
  return {
    provisionProfile: {
      name: '',
      architecture: isArm ? 'Arm64' : 'x64',
      osType: LINUX,
      osSku: OS_SKUS[osSkuOf(nodeClass.spec ?? {})],
      vmSize: sku.name,
      distro: source.distro,
      customNodeLabels: labels,
      orchestratorVersion: source.kubernetesVersion,
      vnetSubnetID: source.subnetId,
      vnetCidrs: [],
      storageProfile: source.isEphemeral ? 'Ephemeral' : 'ManagedDisks',
      nodeInitializationTaints: initializationTaintsOf(claim).map(taintText),
      nodeTaints: (claim.taints ?? []).map(taintText),
      maxPods: source.maxPods,
      mode: labels[aksLabels.mode] === 'system' ? MODES.system : MODES.user,
      securityProfile: securityOf(nodeClass),
      enableFIPS: isFips(nodeClass),
      artifactStreamingProfile: { enabled: !isArm && nodeClass.spec?.artifactStreaming?.enabled === true },
      ...settingsOf(source),
    },
    provisionHelperValues: { skuCPU: sku.vCpus, skuMemory: Math.floor(sku.memoryGiB) },
  };
};
