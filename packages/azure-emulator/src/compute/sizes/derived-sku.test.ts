import { describe, expect, test } from '@jest/globals';
import { recordedSkusFor } from '../../data/recorded-skus.ts';
import { vmSizes } from '../../data/vm-sizes.ts';
import { derivedSku } from './derived-sku.ts';
import { capabilityOf, skuCatalog } from './sku-catalog.ts';

const zones = ['1', '2', '3'];
const derivable = [
  'vCPUs',
  'vCPUsAvailable',
  'MemoryGB',
  'GPUs',
  'CpuArchitectureType',
  'HyperVGenerations',
  'PremiumIO',
  'LowPriorityCapable',
  'AcceleratedNetworkingEnabled',
  'EncryptionAtHostSupported',
  'EphemeralOSDiskSupported',
  'SupportedEphemeralOSDiskPlacements',
  'TrustedLaunchDisabled',
  'CachedDiskBytes',
  'NvmeDiskSizeInMiB',
];

describe('the rules that derive SKUs', () => {
  test('give back what was recorded, but for the differences named here', () => {
    const differences: string[] = [];
    for (const recorded of recordedSkusFor('southcentralus')) {
      const size = vmSizes.find((known) => known.name === recorded.name);
      if (!size) continue;
      const derived = derivedSku(size, { location: 'southcentralus', zones });
      for (const name of derivable) {
        const [was, is] = [capabilityOf(recorded, name), capabilityOf(derived, name)];
        if (was !== is) differences.push(`${recorded.size} ${name}: ${was ?? '-'} became ${is ?? '-'}`);
      }
    }
    expect(differences).toEqual([
      'M8-2ms MemoryGB: 218.75 became 218',
      'M8-2ms CachedDiskBytes: 851477266432 became 369367187456',
      'NC16as_T4_v3 CachedDiskBytes: 154618822656 became 429496729600',
      'NC24ads_A100_v4 HyperVGenerations: V2 became V1,V2',
      'NC24ads_A100_v4 CachedDiskBytes: 274877906944 became 644245094400',
      'NC24ads_A100_v4 NvmeDiskSizeInMiB: 915527 became -',
      'NC6s_v3 CachedDiskBytes: 343597383680 became 161061273600',
    ]);
  });
});

describe('the catalog of a location', () => {
  test('holds all sizes with a price, in the zones that the location has', () => {
    const east = skuCatalog('eastus');
    expect(east.skus.length).toBeGreaterThan(1_200);
    expect(east.find('standard_d2S_V3')?.locationInfo).toEqual([{ location: 'eastus', zones }]);
    expect(east.find('Standard_D4as_v5')?.locationInfo[0]?.zones).toEqual(zones);
  });

  test('has no zones where the location has none', () => {
    const west = skuCatalog('westcentralus');
    expect(new Set(west.skus.flatMap((sku) => sku.locationInfo.flatMap((info) => info.zones)))).toEqual(new Set());
  });
});
