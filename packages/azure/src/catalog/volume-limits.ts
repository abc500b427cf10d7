import type { InstanceType } from '@karpenter/core';
import type { Sku } from '../skus/index.ts';

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
