import type { Sku } from '../skus/index.ts';

/** Where the OS disk lives on the machine itself, and how large it may be. */
export interface EphemeralPlacement {
  readonly placement: 'NvmeDisk' | 'CacheDisk' | 'ResourceDisk';
  /** Decimal GB. */
  readonly maxSizeGB: number;
}

const MIB = 1024 * 1024;
const gigabytes = (bytes: number): number => Math.floor(bytes / 1e9);

/** The best local place of a size: NVMe, then cache, then the resource disk. Undefined when it has none. */
export const ephemeralPlacementOf = (sku: Sku): EphemeralPlacement | undefined => {
  if (!sku.has('EphemeralOSDiskSupported')) return undefined;
  const hasNvme = sku.text('SupportedEphemeralOSDiskPlacements').includes('NvmeDisk');
  const candidates: readonly EphemeralPlacement[] = [
    { placement: 'NvmeDisk', maxSizeGB: hasNvme ? gigabytes(sku.amount('NvmeDiskSizeInMiB') * MIB) : 0 },
    { placement: 'CacheDisk', maxSizeGB: gigabytes(sku.amount('CachedDiskBytes')) },
    { placement: 'ResourceDisk', maxSizeGB: gigabytes(sku.amount('MaxResourceVolumeMB') * MIB) },
  ];
  return candidates.find(({ maxSizeGB }) => maxSizeGB > 0);
};
