import { expect, test } from '@jest/globals';
import { priceItemsOf } from './price-items.ts';

const east = priceItemsOf('eastus').filter((item) => item.armSkuName === 'Standard_D2s_v3');

test('a size has an on-demand, a Windows, a low-priority and a spot meter', () => {
  expect(east.map(({ skuName, productName, retailPrice }) => [skuName, productName, retailPrice])).toEqual([
    ['D2s v3', 'Virtual Machines D Series', 0.096],
    ['D2s v3', 'Virtual Machines D Series Windows', 0.188],
    ['D2s v3 Low Priority', 'Virtual Machines D Series', 0.0384],
    ['D2s v3 Spot', 'Virtual Machines D Series', expect.any(Number)],
  ]);
});

test('spot costs 20 to 35 % of on demand, the same every time', () => {
  const items = priceItemsOf('westeurope');
  const onDemand = new Map(
    items
      .filter((item) => !/ (Spot|Low Priority)$/.test(item.skuName) && !item.productName.endsWith('Windows'))
      .map((item) => [item.armSkuName, item.retailPrice]),
  );
  const shares = items
    .filter((item) => item.skuName.endsWith(' Spot'))
    .map((item) => item.retailPrice / (onDemand.get(item.armSkuName) ?? 0));
  expect(Math.min(...shares)).toBeGreaterThan(0.199);
  expect(Math.max(...shares)).toBeLessThan(0.351);
  expect(priceItemsOf('westeurope')).toEqual(items);
});
