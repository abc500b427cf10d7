import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { RecordedSku } from '../../data/recorded-skus.ts';
import { capabilityNumberOf, capabilityOf } from '../sizes/sku-catalog.ts';
import type { VmBody } from '../vms/vm-body.ts';

/** The bytes that a size has for an ephemeral disk in one placement. */
const roomOf = (sku: RecordedSku, placement: string): number => {
  if (placement === 'NvmeDisk') return capabilityNumberOf(sku, 'NvmeDiskSizeInMiB') * 1024 ** 2;
  if (placement === 'ResourceDisk') return capabilityNumberOf(sku, 'MaxResourceVolumeMB') * 1024 ** 2;
  return capabilityNumberOf(sku, 'CachedDiskBytes');
};

/** Why a size cannot hold the ephemeral OS disk that a body asks for, or undefined. */
export const ephemeralDiskRefusal = (body: VmBody, sku: RecordedSku): ArmRefusal | undefined => {
  const { diffDiskSettings, diskSizeGB = 30 } = body.properties.storageProfile.osDisk;
  if (diffDiskSettings === undefined) return undefined;
  const placement = diffDiskSettings.placement ?? 'CacheDisk';
  const placements = (capabilityOf(sku, 'SupportedEphemeralOSDiskPlacements') ?? '').split(',');
  if (!placements.includes(placement)) {
    return refusal(400, 'InvalidParameter', `Ephemeral OS disk placement '${placement}' is not supported for VM size ${sku.name}.`);
  }
  const roomGB = Math.floor(roomOf(sku, placement) / 1e9);
  if (diskSizeGB > roomGB) {
    return refusal(
      409,
      'OperationNotAllowed',
      `OS disk of Ephemeral VM with size greater than ${String(roomGB)} GB is not allowed for VM size ${sku.name} when the DiffDiskPlacement is ${placement}.`,
    );
  }
  return undefined;
};
