import type { ArmAccount } from '../account.ts';
import { nameOf } from '../arm-id.ts';
import { ephemeralDiskRefusal } from '../compute/disks/ephemeral-disk-refusal.ts';
import { capabilityNumberOf, type SkuCatalog } from '../compute/sizes/sku-catalog.ts';
import type { VmBody } from '../compute/vms/vm-body.ts';
import { SHARED_GALLERIES } from '../data/aks-images.ts';
import type { NicBody } from '../network/nic-body.ts';
import type { ArmWorld } from '../world.ts';
import type { MachineBody } from './machine-body.ts';
import type { MachineEntry } from './machine-entry.ts';
import { apiServerHostOf, nodeCommandOf } from './node-command.ts';

/** Where a machine's parts are put together. */
export interface MachineSite {
  readonly world: ArmWorld;
  readonly catalog: SkuCatalog;
  readonly poolName: string;
}

const TOKEN = 'abcdef.0123456789abcdef';
const PLACEMENTS = ['NvmeDisk', 'CacheDisk', 'ResourceDisk'] as const;

/** The interface that AKS gives to a machine. It carries no tags. */
export const nicOfMachine = ({ world }: MachineSite, { body, nicId }: MachineEntry): NicBody => ({
  location: world.account.location,
  properties: {
    ipConfigurations: [
      {
        name: nameOf(nicId),
        properties: {
          primary: true,
          privateIPAllocationMethod: 'Dynamic',
          privateIPAddressVersion: 'IPv4',
          subnet: { id: body.properties.network?.vnetSubnetID ?? world.account.subnetId },
          loadBalancerBackendAddressPools: world.account.backendPoolIds.filter((id) => !id.endsWith('-ipv6')).map((id) => ({ id })),
        },
      },
    ],
  },
});

/** `AKSUbuntu-2204gen2containerd-202611.03.0` as the id of a version in the shared galleries. */
const imageIdOf = ({ world }: MachineSite, nodeImageVersion: string): string => {
  const [gallery = '', definition = '', version = ''] = nodeImageVersion.split('-');
  return (
    `/subscriptions/${world.account.imageSubscriptionId}/resourceGroups/${SHARED_GALLERIES[gallery] ?? gallery}` +
    `/providers/Microsoft.Compute/galleries/${gallery}/images/${definition}/versions/${version}`
  );
};

/** The machine with the newest image of the kind that it asks for, as AKS takes it. */
export const withNewestImage = ({ images }: ArmWorld, body: MachineBody): MachineBody => {
  const [gallery = '', definition = ''] = body.properties.nodeImageVersion?.split('-') ?? [];
  const newest = images.versionsOf(gallery, definition)?.at(-1);
  if (newest === undefined) return body;
  return { ...body, properties: { ...body.properties, nodeImageVersion: `${gallery}-${definition}-${newest.version}` } };
};

/**
 * Of a cluster with an overlay and Cilium. Source: Azure/karpenter-provider-azure, `test/suites/machine`, which expects
 * them on real nodes.
 */
const networkLabelsOf = ({ vnetGuid }: ArmAccount, subnetId: string): Readonly<Record<string, string>> => ({
  'kubernetes.azure.com/azure-cni-overlay': 'true',
  'kubernetes.azure.com/ebpf-dataplane': 'cilium',
  'kubernetes.azure.com/network-stateless-cni': 'true',
  'kubernetes.azure.com/network-subnet': nameOf(subnetId),
  'kubernetes.azure.com/nodenetwork-vnetguid': vnetGuid,
  'kubernetes.azure.com/podnetwork-type': 'overlay',
});

/** What AKS writes on the nodes of its machines itself. */
const labelsOf = ({ world, poolName }: MachineSite, { properties }: MachineEntry['body']): Readonly<Record<string, string>> => ({
  ...properties.kubernetes.nodeLabels,
  agentpool: poolName,
  'kubernetes.azure.com/agentpool': poolName,
  'kubernetes.azure.com/cluster': world.account.nodeResourceGroup.slice(0, 63),
  'kubernetes.azure.com/kubelet-identity-client-id': world.account.kubeletIdentityClientId,
  'kubernetes.azure.com/mode': (properties.mode ?? 'User').toLowerCase(),
  'kubernetes.azure.com/os-sku': properties.operatingSystem.osSKU === 'AzureLinux' ? 'AzureLinux' : 'Ubuntu',
  'kubernetes.azure.com/role': 'agent',
  ...networkLabelsOf(world.account, properties.network?.vnetSubnetID ?? world.account.subnetId),
  ...(properties.priority === 'Spot' && { 'kubernetes.azure.com/scalesetpriority': 'spot' }),
});

const customDataOf = (site: MachineSite, { body }: MachineEntry): string => {
  const { kubernetes, hardware, operatingSystem } = body.properties;
  const sku = site.catalog.find(hardware.vmSize);
  const command = nodeCommandOf({
    apiServerName: apiServerHostOf(site.world.account),
    bootstrapToken: TOKEN,
    kubernetesVersion: kubernetes.orchestratorVersion ?? '1.33.4',
    labels: labelsOf(site, body),
    taints: [...(kubernetes.nodeTaints ?? []), ...(kubernetes.nodeInitializationTaints ?? [])],
    maxPods: kubernetes.maxPods ?? 250,
    vCpus: sku === undefined ? 0 : capabilityNumberOf(sku, 'vCPUs'),
    memoryGiB: sku === undefined ? 0 : capabilityNumberOf(sku, 'MemoryGB'),
    kubelet: kubernetes.kubeletConfig,
    os: operatingSystem.linuxProfile?.linuxOSConfig,
  });
  return Buffer.from(`#!/bin/bash\necho '#EOF' >> /opt/azure/manifest.json\n${command}\n`, 'utf8').toString('base64');
};

const securityOf = ({ properties }: MachineEntry['body']): VmBody['properties']['securityProfile'] => {
  const { enableEncryptionAtHost, enableVTPM = false, enableSecureBoot = false } = properties.security ?? {};
  return {
    ...(enableEncryptionAtHost !== undefined && { encryptionAtHost: enableEncryptionAtHost }),
    ...((enableVTPM || enableSecureBoot) && {
      securityType: 'TrustedLaunch',
      uefiSettings: { secureBootEnabled: enableSecureBoot, vTpmEnabled: enableVTPM },
    }),
  };
};

const withDisk = (site: MachineSite, { body }: MachineEntry, vm: VmBody): VmBody => {
  const sku = site.catalog.find(body.properties.hardware.vmSize);
  if (body.properties.operatingSystem.osDiskType !== 'Ephemeral' || sku === undefined) return vm;
  const placed = PLACEMENTS.map((placement): VmBody => {
    const { storageProfile } = vm.properties;
    const osDisk = { ...storageProfile.osDisk, diffDiskSettings: { option: 'Local', placement } };
    return { ...vm, properties: { ...vm.properties, storageProfile: { ...storageProfile, osDisk } } };
  });
  return placed.find((candidate) => ephemeralDiskRefusal(candidate, sku) === undefined) ?? vm;
};

const purchaseOf = ({ properties: { priority, billing } }: MachineEntry['body']): Partial<VmBody['properties']> =>
  priority === 'Spot' ? { priority, evictionPolicy: 'Delete', billingProfile: { maxPrice: billing?.spotMaxPrice ?? -1 } } : {};

/** The VM that AKS makes of a machine; its node needs nothing more. */
export const vmOfMachine = (site: MachineSite, machine: MachineEntry): VmBody => {
  const { body, nicId, vmId } = machine;
  const { hardware, operatingSystem, nodeImageVersion = 'AKSUbuntu-2204gen2containerd-202611.03.0', tags = {} } = body.properties;
  const securityProfile = securityOf(body);
  return withDisk(site, machine, {
    location: site.world.account.location,
    tags,
    ...(body.zones && { zones: body.zones }),
    properties: {
      hardwareProfile: { vmSize: hardware.vmSize },
      storageProfile: {
        imageReference: { id: imageIdOf(site, nodeImageVersion) },
        osDisk: { createOption: 'FromImage', deleteOption: 'Delete', diskSizeGB: operatingSystem.osDiskSizeGB ?? 128 },
      },
      networkProfile: { networkInterfaces: [{ id: nicId, properties: { primary: true, deleteOption: 'Delete' } }] },
      osProfile: {
        computerName: nameOf(vmId),
        adminUsername: 'azureuser',
        customData: customDataOf(site, machine),
        linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [{}] } },
      },
      ...purchaseOf(body),
      ...(securityProfile && Object.keys(securityProfile).length > 0 && { securityProfile }),
      ...(hardware.ultraSsdEnabled === true && { additionalCapabilities: { ultraSSDEnabled: true } }),
    },
  });
};
