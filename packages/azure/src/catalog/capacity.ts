import type { InstanceType, Resources } from '@karpenter/core';
import { gpuOf, type Sku } from '../skus/index.ts';

/** The CSI driver of managed disks. */
const DISK_DRIVER = 'disk.csi.azure.com';
const MOST_DISKS = 'MaxDataDiskCount';

/**
 * How many disks a machine of the size attaches, as its node will say once the driver has registered there; nothing
 * where Azure states no number. Azure Files are mounted, not attached, and have no limit. Source: azuredisk-csi-driver,
 * `NodeGetInfo`.
 */
export const diskLimitsOf = (sku: Sku): Pick<InstanceType, 'volumeLimits'> =>
  sku.text(MOST_DISKS) === '' ? {} : { volumeLimits: { [DISK_DRIVER]: sku.amount(MOST_DISKS) } };

const GIB = 1024 ** 3;

/**
 * What a machine is expected to report: fractions of a GiB do not count, and the operating system never sees
 * `overheadPercent`.
 */
const memoryBytesOf = (memoryGiB: number, overheadPercent: number): number => {
  const bytes = Math.floor(memoryGiB) * GIB;
  return bytes - Math.ceil(bytes * overheadPercent);
};

export interface CapacitySettings {
  /** What nodes of the size have reported; absent: the percentage is the best guess. */
  readonly knownMemoryBytes?: number | undefined;
  readonly vmMemoryOverheadPercent: number;
  readonly osDiskSizeGB: number;
  readonly maxPods: number;
}

/** Both GPU resources are always there, so that a pool's limits can name either. */
export const capacityOf = (sku: Sku, settings: CapacitySettings): Resources => {
  const manufacturer = gpuOf(sku.name)?.manufacturer;
  return {
    cpu: sku.vCpus * 1000,
    memory: settings.knownMemoryBytes ?? memoryBytesOf(sku.memoryGiB, settings.vmMemoryOverheadPercent),
    'ephemeral-storage': settings.osDiskSizeGB * 1e9,
    pods: settings.maxPods,
    'nvidia.com/gpu': manufacturer === 'nvidia' ? sku.gpus : 0,
    'amd.com/gpu': manufacturer === 'amd' ? sku.gpus : 0,
  };
};
