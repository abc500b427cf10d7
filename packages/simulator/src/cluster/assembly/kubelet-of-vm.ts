import { BootstrapError, type NodeBootstrap, type VmRecord } from '@karpenter/azure-emulator';
import type { KubeletNode } from '../kubelet/kubelet-node.ts';
import { maySelfAssign } from '../kubelet/self-assigned-labels.ts';
import { amountsOf, sumOf } from '../resources/amounts.ts';
import type { ResourceAmounts } from '../resources/amounts.ts';

/** What firmware and kernel keep of the nominal memory; Azure documents no figure, real nodes show 2–5 %. */
const KERNEL_SHARE = 0.04;
const DISK_DRIVER = 'disk.csi.azure.com';
const DISK_ZONE = 'topology.disk.csi.azure.com/zone';
const GB = 1_000_000_000;
const KIB = 1024;

const written = (name: string, amount: number): string => {
  if (name === 'cpu') return `${amount}m`;
  return name === 'memory' ? `${Math.floor(amount / KIB)}Ki` : String(amount);
};

const quantities = (amounts: ResourceAmounts): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, written(name, amount)]));

const less = (capacity: ResourceAmounts, reserved: ResourceAmounts): ResourceAmounts =>
  Object.fromEntries(Object.entries(capacity).map(([name, amount]) => [name, Math.max(amount - (reserved[name] ?? 0), 0)]));

/** As the disk driver says it; a disk without zone reaches machines without one. */
const zoneOf = ({ location, zone }: VmRecord): string => (zone === undefined ? '' : `${location}-${zone}`);

/** A kubelet with a label that it may not give itself ends at its start. */
const startingLabels = ({ labels }: NodeBootstrap): KubeletNode['labels'] => {
  const forbidden = Object.keys(labels).filter((key) => !maySelfAssign(key));
  if (forbidden.length === 0) return labels;
  throw new BootstrapError('ForbiddenLabel', `--node-labels has labels that no kubelet may set: ${forbidden.join(', ')}`);
};

/** Part of an image's name → what its system calls itself. Source: `/etc/os-release` of the images. */
const OS_IMAGES: readonly (readonly [part: string, osImage: string])[] = [
  ['2204', 'Ubuntu 22.04.5 LTS'],
  ['2404', 'Ubuntu 24.04.2 LTS'],
  ['2004', 'Ubuntu 20.04.6 LTS'],
  ['V3', 'Microsoft Azure Linux 3.0'],
  ['V2', 'CBL-Mariner/Linux'],
];

const osImageOf = ({ imageId }: VmRecord): string | undefined => {
  const [, image = ''] = /\/images\/([^/]+)/i.exec(imageId) ?? [];
  return OS_IMAGES.find(([part]) => image.startsWith(part))?.[1];
};

/**
 * What a VM's kubelet starts with: labels, taints and reservations from its customData, size from its hardware, nothing
 * from elsewhere. Throws `BootstrapError`.
 */
export const kubeletOfVm = (vm: VmRecord, bootstrap: NodeBootstrap): KubeletNode => {
  const { hardware, osProfile } = vm;
  const capacity: ResourceAmounts = {
    cpu: hardware.vCpus * 1000,
    memory: Math.floor(hardware.memoryBytes * (1 - KERNEL_SHARE)),
    'ephemeral-storage': vm.osDiskSizeGB * GB,
    pods: bootstrap.maxPods,
  };
  const evicted = amountsOf({ memory: bootstrap.evictionHard['memory.available'] ?? '0' });
  const reserved = [amountsOf(bootstrap.kubeReserved), amountsOf(bootstrap.systemReserved), evicted].reduce(sumOf);
  const version = bootstrap.kubernetesVersion;
  return {
    name: (bootstrap.nodeName ?? osProfile.computerName).toLowerCase(),
    labels: startingLabels(bootstrap),
    taints: bootstrap.taints.map(({ key, value, effect }) => ({ key, effect, ...(value === undefined ? {} : { value }) })),
    capacity: quantities(capacity),
    allocatable: quantities(less(capacity, reserved)),
    ...(hardware.gpus > 0 && { pluginResources: { 'nvidia.com/gpu': String(hardware.gpus) } }),
    arch: hardware.architecture,
    providerId: vm.providerId,
    internalIp: vm.privateIpAddress,
    internalIpv6: vm.ipv6Address,
    kubeletVersion: version === undefined ? undefined : `v${version}`,
    osImage: osImageOf(vm),
    volumeDrivers: [{ name: DISK_DRIVER, limit: hardware.maxDataDisks, topology: { [DISK_ZONE]: zoneOf(vm) } }],
    isCloudManaged: bootstrap.kubeletFlags['cloud-provider'] === 'external',
    flags: bootstrap.kubeletFlags,
  };
};
