import { describe, expect, test } from '@jest/globals';
import table from '../../data/static-prices.json' with { type: 'json' };
import { priceBookOf, refreshedPrices, type RetailPrice } from './price-book.ts';
import { staticPricesOf } from './static-prices.ts';

const item = (retailPrice: number, more: Partial<RetailPrice> = {}): RetailPrice => ({
  armSkuName: 'Standard_D2s_v3',
  retailPrice,
  skuName: 'D2s v3',
  meterName: 'D2s v3',
  productName: 'Virtual Machines DSv3 Series',
  ...more,
});

describe('retail prices', () => {
  test('Linux on demand and spot are kept apart; Windows and Low Priority meters are left out', () => {
    const book = priceBookOf([
      item(0.096),
      item(0.188, { productName: 'Virtual Machines DSv3 Series Windows' }),
      item(0.01, { meterName: 'D2s v3 Low Priority' }),
      item(0.02, { skuName: 'D2s v3 Spot' }),
    ]);
    expect(book.onDemand.get('Standard_D2s_v3')).toBe(0.096);
    expect(book.spot.get('Standard_D2s_v3')).toBe(0.02);
  });

  test('the primary meter wins, then the cheapest, in whatever order they come', () => {
    const meters = [item(0.05), item(0.2, { isPrimaryMeterRegion: true }), item(0.1, { isPrimaryMeterRegion: true })];
    expect(priceBookOf(meters).onDemand.get('Standard_D2s_v3')).toBe(0.1);
    expect(priceBookOf(meters.toReversed()).onDemand.get('Standard_D2s_v3')).toBe(0.1);
  });

  test('an answer without spot prices keeps the spot prices there were', () => {
    const old = priceBookOf([item(0.2), item(0.02, { skuName: 'D2s v3 Spot' })]);
    const book = refreshedPrices(old, priceBookOf([item(0.096)]));
    expect(book.onDemand.get('Standard_D2s_v3')).toBe(0.096);
    expect(book.spot.get('Standard_D2s_v3')).toBe(0.02);
  });
});

describe('the static price table', () => {
  test('has prices of its own for 57 regions; others have those of eastus', () => {
    const pricesOf = (location: string) => staticPricesOf(location).onDemand;
    expect(new Set(table.regions).size).toBe(57);
    for (const region of table.regions) expect(pricesOf(region).size).toBeGreaterThan(100);
    expect(pricesOf('chinaeast2')).toEqual(pricesOf('eastus'));
    expect(pricesOf('WestEurope')).toEqual(pricesOf('westeurope'));
    expect(pricesOf('westeurope')).not.toEqual(pricesOf('eastus'));
  });

  test.each([
    ['eastus', 'Standard_D2s_v3', 0.096],
    ['southcentralus', 'Standard_D2s_v3', 0.11],
    ['southcentralus', 'Standard_D64s_v3', 3.52],
    ['eastus', 'Standard_NC24ads_A100_v4', 3.673],
    ['usgovvirginia', 'Standard_D2_v5', 0.096],
  ])('%s %s costs %d', (location, size, price) => {
    expect(staticPricesOf(location).onDemand.get(size)).toBe(price);
    expect(staticPricesOf(location).spot.get(size)).toBe(price);
  });
});
