import { expect, test } from '@jest/globals';
import { canDo, capabilityNumberOf, capabilityOf, skuCatalog } from './sku-catalog.ts';
import { EVERYDAY_SIZES } from './everyday-sizes.ts';

const { skus } = skuCatalog('eastus', EVERYDAY_SIZES);
const every = skuCatalog('eastus', 'all').skus;

const architectures = (of: typeof skus) => new Set(of.map((sku) => capabilityOf(sku, 'CpuArchitectureType')));

test('everyday sizes › are all offered, each once, and are less than a tenth of what there is', () => {
  expect(skus.map(({ name }) => name)).toEqual(EVERYDAY_SIZES.toSorted((left, right) => (left < right ? -1 : 1)));
  expect(skus.length).toBeLessThan(every.length / 10);
});

test('everyday sizes › have every architecture and every kind of what a size can do that the others have', () => {
  expect(architectures(skus)).toEqual(architectures(every));
  expect(new Set(skus.map((sku) => capabilityOf(sku, 'HyperVGenerations')))).toEqual(new Set(['V1', 'V2', 'V1,V2']));
  const abilities = ['PremiumIO', 'EphemeralOSDiskSupported', 'EncryptionAtHostSupported', 'AcceleratedNetworkingEnabled'];
  for (const name of abilities) expect(skus.some((sku) => canDo(sku, name))).toBe(true);
  for (const name of ['GPUs', 'MaxResourceVolumeMB']) expect(skus.some((sku) => capabilityNumberOf(sku, name) > 0)).toBe(true);
  const coresInUse = skus.filter((sku) => capabilityNumberOf(sku, 'vCPUsAvailable') < capabilityNumberOf(sku, 'vCPUs'));
  expect(coresInUse.length).toBeGreaterThan(1);
});
