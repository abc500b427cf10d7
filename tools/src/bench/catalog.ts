/**
 * `pnpm bench:catalog`: how long the Azure provider takes from the records of eastus, as Azure lists them, to instance
 * types: the first time in a process, for another class, and after prices or stock changed. `--json` prints JSON.
 */
import { facetsOf, instanceTypeCatalog, unavailableOfferings } from '../../../packages/azure/src/catalog/index.ts';
import { priceBookOf, staticPricesOf } from '../../../packages/azure/src/pricing/index.ts';
import type { ResourceSku } from '../../../packages/azure/src/skus/index.ts';
import { skuCatalog } from '../../../packages/azure-emulator/src/compute/sizes/sku-catalog.ts';
import { type Figure, report } from './report.ts';

const location = 'eastus';
const OVERLAY_PODS = 250;

/** As they come from the network. */
const records = JSON.parse(JSON.stringify(skuCatalog(location).skus)) as readonly ResourceSku[];
const prices = staticPricesOf(location);
const dearer = priceBookOf(
  [...prices.onDemand].map(([armSkuName, price]) => ({
    armSkuName,
    retailPrice: price * 1.1,
    skuName: '',
    meterName: '',
    productName: '',
  })),
);

const unavailable = unavailableOfferings({ now: () => 0 });
const settings = { location, clusterLabel: 'MC_rg_main_eastus', vmMemoryOverheadPercent: 0.075 };
const catalog = instanceTypeCatalog({ settings, prices, unavailable, clock: { now: () => 0 } });

const figures: Figure[] = [];
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** By processor time, which is what it takes on a quiet machine: nothing is waited for. */
const measured = <T>(name: string, bar: Pick<Figure, 'atMost'>, run: () => T): T => {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  figures.push({ case: name, figure: rounded((user + system) / 1000), unit: 'ms', ...bar });
  return result;
};

const ubuntu = facetsOf({ spec: {} }, OVERLAY_PODS);
const azureLinux = facetsOf({ spec: { imageFamily: 'AzureLinux', osDiskSizeGB: 256 } }, OVERLAY_PODS);

const types = measured(`${records.length} records of ${location}, first in the process`, { atMost: 300 }, () => {
  catalog.setSkus(records);
  return catalog.typesFor(ubuntu);
});
measured('the same for another class', {}, () => catalog.typesFor(azureLinux));
measured('nothing new', {}, () => catalog.typesFor(ubuntu));
measured('all prices changed', {}, () => {
  catalog.setPrices(dearer);
  return catalog.typesFor(ubuntu);
});
measured('one size out of stock', {}, () => {
  const [sku] = catalog.skus.values();
  if (sku !== undefined) unavailable.block({ size: sku, zone: 'eastus-1', capacityType: 'on-demand', ttlMs: 60_000 });
  return catalog.typesFor(ubuntu);
});

report([
  ...figures,
  { case: 'sizes for nodes', figure: types.length, unit: 'types' },
  { case: 'ways to buy them', figure: types.reduce((sum, { offerings }) => sum + offerings.length, 0), unit: 'offerings' },
]);
