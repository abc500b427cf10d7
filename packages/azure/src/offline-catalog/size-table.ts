import table from '../../data/vm-sizes.json' with { type: 'json' };
import type { ResourceSku, SkuCapability } from '../skus/index.ts';

const FLAGS: readonly (readonly [string, string])[] = [
  ['p', 'PremiumIO'],
  ['s', 'LowPriorityCapable'],
  ['n', 'AcceleratedNetworkingEnabled'],
  ['h', 'EncryptionAtHostSupported'],
  ['u', 'UltraSSDAvailable'],
  ['t', 'TrustedLaunchDisabled'],
];

/** Amounts of a row, in their order behind the family and the flags. */
const AMOUNTS = ['vCPUs', 'vCPUsAvailable', 'MemoryGB', 'GPUs', 'MaxDataDiskCount', 'MaxResourceVolumeMB', 'cacheMiB', 'NvmeDiskSizeInMiB'];

const MIB = 1024 * 1024;
const ZONES = ['1', '2', '3'];

type Row = readonly (string | number)[];
const rows: Readonly<Record<string, Row>> = table.sizes;

const ephemeralOf = (flags: string): string => (flags.includes('f') ? 'NvmeDisk' : flags.includes('e') ? 'ResourceDisk,CacheDisk' : '');

const hyperVOf = (flags: string): string =>
  ['1', '2']
    .filter((generation) => flags.includes(generation))
    .map((generation) => `V${generation}`)
    .join();

const amountsOf = (amounts: readonly (string | number)[]): readonly SkuCapability[] =>
  AMOUNTS.map((name, at) => ({ name, value: Number(amounts[at] ?? 0) }))
    .filter(({ name, value }) => value > 0 || name === 'MaxResourceVolumeMB')
    .map(({ name, value }) =>
      name === 'cacheMiB' ? { name: 'CachedDiskBytes', value: String(value * MIB) } : { name, value: String(value) },
    );

const capabilitiesOf = (flags: string, amounts: readonly (string | number)[]): readonly SkuCapability[] => {
  const ephemeral = ephemeralOf(flags);
  return [
    ...amountsOf(amounts),
    ...FLAGS.map(([flag, name]) => ({ name, value: flags.includes(flag) ? 'True' : 'False' })),
    { name: 'CpuArchitectureType', value: flags.includes('a') ? 'Arm64' : 'x64' },
    { name: 'HyperVGenerations', value: hyperVOf(flags) },
    ...(flags.includes('c') ? [{ name: 'ConfidentialComputingType', value: 'SNP' }] : []),
    { name: 'EphemeralOSDiskSupported', value: ephemeral === '' ? 'False' : 'True' },
    ...(ephemeral === '' ? [] : [{ name: 'SupportedEphemeralOSDiskPlacements', value: ephemeral }]),
  ];
};

/** Logical zones of a region (`eastus`), ascending; none where the region has no zones. */
export const offlineZonesOf = (location: string): readonly string[] => (table.zonalRegions.includes(location) ? ZONES : []);

/** Every size of the table as the region would list it to a subscription without restrictions, in the order of names. */
export const offlineSkus = (location: string): readonly ResourceSku[] => {
  const zones = offlineZonesOf(location);
  return Object.entries(rows).map(([size, [family, flags, ...amounts]]) => ({
    ...{ resourceType: 'virtualMachines', name: `Standard_${size}`, size },
    family: table.families[Number(family)] ?? '',
    capabilities: capabilitiesOf(String(flags), amounts),
    locationInfo: [{ location, zones }],
    restrictions: [],
  }));
};
