import { onDemandPricesOf } from '../data/on-demand-prices.ts';
import { sizeNameOf } from '../compute/sizes/size-name.ts';
import { spotPriceOf } from './spot-price.ts';

/** One meter of the retail prices API. */
export interface PriceItem {
  readonly currencyCode: string;
  readonly retailPrice: number;
  readonly unitPrice: number;
  readonly armRegionName: string;
  readonly location: string;
  readonly effectiveStartDate: string;
  readonly meterName: string;
  readonly productName: string;
  readonly skuName: string;
  readonly serviceName: string;
  readonly serviceFamily: string;
  readonly unitOfMeasure: string;
  readonly type: string;
  readonly isPrimaryMeterRegion: boolean;
  readonly armSkuName: string;
}

/** A Windows licence on top, and the old low-priority meter: clients must distinguish both from the price on demand. */
const WINDOWS_PER_HOUR = 0.092;
const LOW_PRIORITY_SHARE = 0.4;

const metersOf = (size: string, region: string, onDemand: number): readonly PriceItem[] => {
  const short = size.replace(/^Standard_/, '').replaceAll('_', ' ');
  const product = `Virtual Machines ${sizeNameOf(size).family} Series`;
  const meter = (retailPrice: number, suffix: string, productName = product): PriceItem => ({
    currencyCode: 'USD',
    retailPrice,
    unitPrice: retailPrice,
    armRegionName: region,
    location: region,
    effectiveStartDate: '2026-06-01T00:00:00Z',
    meterName: `${short}${suffix}`,
    productName,
    skuName: `${short}${suffix}`,
    serviceName: 'Virtual Machines',
    serviceFamily: 'Compute',
    unitOfMeasure: '1 Hour',
    type: 'Consumption',
    isPrimaryMeterRegion: true,
    armSkuName: size,
  });
  return [
    meter(onDemand, ''),
    meter(Number((onDemand + WINDOWS_PER_HOUR).toFixed(5)), '', `${product} Windows`),
    meter(Number((onDemand * LOW_PRIORITY_SHARE).toFixed(5)), ' Low Priority'),
    meter(spotPriceOf(size, region, onDemand), ' Spot'),
  ];
};

/** All meters of a region, by size. */
export const priceItemsOf = (region: string): readonly PriceItem[] =>
  [...onDemandPricesOf(region)].flatMap(([size, onDemand]) => metersOf(size, region, onDemand));
