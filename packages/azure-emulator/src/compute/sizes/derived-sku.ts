import type { RecordedSku, RecordedSkuCapability } from '../../data/recorded-skus.ts';
import type { ListedVmSize } from '../../data/vm-sizes.ts';
import { type SizeName, sizeNameOf } from './size-name.ts';

const MIB = 1024 * 1024;
const GIB_IN_MIB = 1024;
const NVME_MIB_PER_VCPU = 56_320;

/** Confidential sizes; none of the recorded ones has a local disk. */
const isConfidential = ({ family }: SizeName): boolean => /^(DC|EC)/.test(family);

/** What a size has on its host. */
interface LocalStorage {
  readonly resourceDiskMiB: number;
  readonly cacheMiB: number;
  readonly nvmeMiB: number;
}

const isPremium = ({ family, features }: SizeName): boolean => features.includes('s') || /^(DS|GS)$/.test(family);

/** Host cache of a premium-capable size with a local disk, as the recorded members of each series have it. */
const cacheMibOf = ({ family, version }: SizeName, vCpus: number): number => {
  if (family === 'B') return 30 * GIB_IN_MIB;
  if (family === 'F') return 16 * GIB_IN_MIB * vCpus;
  return (version <= 2 ? 43 : 25) * GIB_IN_MIB * vCpus;
};

/** Up to version 3 every ordinary size has a local disk, from version 4 on those with a `d`; from version 6 on it is NVMe. */
const localDiskOf = (name: SizeName, vCpus: number): LocalStorage => {
  const premium = isPremium(name);
  const hasDisk = name.features.includes('d') || (name.version <= 3 && !isConfidential(name));
  if (!hasDisk) return { resourceDiskMiB: 0, cacheMiB: 0, nvmeMiB: 0 };
  if (name.version >= 6) return { resourceDiskMiB: 0, cacheMiB: 0, nvmeMiB: NVME_MIB_PER_VCPU * vCpus };
  const cacheMiB = premium ? cacheMibOf(name, vCpus) : 0;
  if (name.version >= 4) return { resourceDiskMiB: 38_400 * vCpus, cacheMiB, nvmeMiB: 0 };
  return { resourceDiskMiB: (premium ? 8_192 : 25_600) * vCpus, cacheMiB, nvmeMiB: 0 };
};

const hyperVOf = (name: SizeName, size: ListedVmSize): string => {
  if (size.architecture === 'arm64' || name.version >= 6 || isConfidential(name)) return 'V2';
  return !isPremium(name) && name.version <= 3 ? 'V1' : 'V1,V2';
};

/**
 * SEV-SNP with an `a` (AMD), TDX with an `e`; sizes for enclaves, and those for confidential children (`_cc`), have
 * neither.
 */
const confidentialTypeOf = (name: SizeName, size: ListedVmSize): string | undefined => {
  if (!isConfidential(name) || name.version < 5 || size.name.includes('_cc_')) return undefined;
  return name.features.includes('a') ? 'SNP' : 'TDX';
};

const bool = (value: boolean): string => (value ? 'True' : 'False');

const ephemeralPlacements = (name: SizeName, local: LocalStorage): string | undefined => {
  if (local.nvmeMiB > 0) return isPremium(name) ? 'NvmeDisk' : undefined;
  const supported = local.cacheMiB > 0 || (name.version >= 4 && local.resourceDiskMiB > 0);
  return supported ? 'ResourceDisk,CacheDisk' : undefined;
};

const optional = (name: string, value: string | undefined): readonly RecordedSkuCapability[] =>
  value === undefined ? [] : [{ name, value }];

const diskCapabilities = (name: SizeName, vCpus: number): readonly RecordedSkuCapability[] => {
  const local = localDiskOf(name, vCpus);
  const placements = ephemeralPlacements(name, local);
  return [
    { name: 'MaxResourceVolumeMB', value: String(local.resourceDiskMiB) },
    { name: 'EphemeralOSDiskSupported', value: bool(placements !== undefined) },
    ...optional('SupportedEphemeralOSDiskPlacements', placements),
    ...optional('CachedDiskBytes', local.cacheMiB > 0 ? String(local.cacheMiB * MIB) : undefined),
    ...optional('NvmeDiskSizeInMiB', local.nvmeMiB > 0 ? String(local.nvmeMiB) : undefined),
    { name: 'PremiumIO', value: bool(isPremium(name)) },
  ];
};

const machineCapabilities = (size: ListedVmSize, name: SizeName): readonly RecordedSkuCapability[] => [
  { name: 'vCPUs', value: String(size.vCpus) },
  { name: 'vCPUsAvailable', value: String(name.constrainedVCpus ?? size.vCpus) },
  { name: 'vCPUsPerCore', value: size.architecture === 'arm64' ? '1' : '2' },
  { name: 'MemoryGB', value: String(size.memoryMiB / 1024) },
  ...optional('GPUs', size.gpus > 0 ? String(size.gpus) : undefined),
  { name: 'CpuArchitectureType', value: size.architecture === 'arm64' ? 'Arm64' : 'x64' },
  { name: 'HyperVGenerations', value: hyperVOf(name, size) },
];

const hasSpot = ({ family, promo }: SizeName): boolean => !promo && family !== 'A' && family !== 'B';

const isAccelerated = ({ family, version }: SizeName, vCpus: number): boolean =>
  vCpus >= 2 && family !== 'A' && !(version === 1 && /^(D|DS|G|GS|H)$/.test(family));

const hasUltraDisks = (name: SizeName): boolean => name.version >= 4 || (isPremium(name) && name.version >= 3);

const serviceCapabilities = (size: ListedVmSize, name: SizeName): readonly RecordedSkuCapability[] => [
  { name: 'LowPriorityCapable', value: bool(hasSpot(name)) },
  { name: 'AcceleratedNetworkingEnabled', value: bool(isAccelerated(name, size.vCpus)) },
  { name: 'EncryptionAtHostSupported', value: bool(isPremium(name) || name.version >= 4) },
  ...optional('ConfidentialComputingType', confidentialTypeOf(name, size)),
  ...optional('UltraSSDAvailable', hasUltraDisks(name) ? 'True' : undefined),
  ...optional('TrustedLaunchDisabled', size.architecture === 'arm64' || name.constrainedVCpus !== undefined ? 'True' : undefined),
  { name: 'VMDeploymentTypes', value: 'IaaS' },
  { name: 'RdmaEnabled', value: bool(name.features.includes('r')) },
  { name: 'CapacityReservationSupported', value: 'False' },
  { name: 'MaxDataDiskCount', value: String(Math.min(64, 2 * size.vCpus)) },
  { name: 'MaxNetworkInterfaces', value: String(Math.min(8, Math.max(2, size.vCpus / 4))) },
];

/** A SKU record for a size that was not recorded, by the rules that `data/README.md` states. */
export const derivedSku = (size: ListedVmSize, at: { readonly location: string; readonly zones: readonly string[] }): RecordedSku => {
  const name = sizeNameOf(size.name);
  return {
    name: size.name,
    tier: 'Standard',
    size: size.name.replace(/^Standard_/, ''),
    family: size.family,
    resourceType: 'virtualMachines',
    locations: [at.location],
    locationInfo: [{ location: at.location, zones: at.zones, zoneDetails: [] }],
    capabilities: [...machineCapabilities(size, name), ...diskCapabilities(name, size.vCpus), ...serviceCapabilities(size, name)],
    restrictions: [],
  };
};
