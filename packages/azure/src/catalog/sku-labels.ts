import { labels } from '@karpenter/core';
import { aksLabels, azureLabels } from '../apis/index.ts';
import { gpuOf, type Sku, seriesOf } from '../skus/index.ts';
import { ephemeralPlacementOf } from './ephemeral-os-disk.ts';

const yesNo = (value: boolean): string => (value ? 'true' : 'false');

/** Labels that say what a size is, the same wherever and however it is bought. */
export const skuLabelsOf = (sku: Sku): Readonly<Record<string, string>> => {
  const gpu = sku.gpus > 0 ? gpuOf(sku.name) : undefined;
  const ephemeral = ephemeralPlacementOf(sku);
  const memoryMiB = String(Math.floor(sku.memoryGiB * 1024));
  return {
    [labels.instanceType]: sku.name,
    [labels.arch]: sku.architecture,
    [labels.os]: 'linux',
    [azureLabels.skuName]: sku.name,
    [azureLabels.skuFamily]: sku.size.family,
    [azureLabels.skuSeries]: seriesOf(sku.size),
    [azureLabels.skuVersion]: sku.size.version ?? '1',
    [azureLabels.skuCpu]: String(sku.vCpus),
    [azureLabels.skuMemory]: memoryMiB,
    [aksLabels.skuCpu]: String(sku.vCpus),
    [aksLabels.skuMemory]: memoryMiB,
    [azureLabels.skuAcceleratedNetworking]: yesNo(sku.has('AcceleratedNetworkingEnabled')),
    [azureLabels.skuPremiumStorage]: yesNo(sku.has('PremiumIO')),
    [azureLabels.skuGpuCount]: gpu === undefined ? '0' : String(sku.gpus),
    ...(ephemeral && { [azureLabels.skuEphemeralOSMaxSize]: String(ephemeral.maxSizeGB) }),
    ...(gpu && { [azureLabels.skuGpuManufacturer]: gpu.manufacturer }),
    ...(gpu && sku.size.accelerator !== undefined && { [azureLabels.skuGpuName]: sku.size.accelerator }),
  };
};
