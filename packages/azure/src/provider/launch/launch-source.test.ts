import { expect, test } from '@jest/globals';
import recorded from '../../../data/resource-skus.southcentralus.json' with { type: 'json' };
import type { AKSNodeClass } from '../../apis/index.ts';
import { type ResourceSku, type Sku, skuOf } from '../../skus/index.ts';
import { placementOf } from './launch-source.ts';

const skuNamed = (name: string): Sku => {
  const row = (recorded as readonly ResourceSku[]).find((each) => each.name === `Standard_${name}`);
  const sku = row && skuOf(row, 'southcentralus');
  if (sku === undefined) throw new Error(`no size ${name}`);
  return sku;
};

test.each([
  ['fits its cache of 32 GB', 32, 'CacheDisk'],
  ['is larger than the cache, which is the only place', 33, undefined],
] as const)('an OS disk that %s › placement %#', (_, osDiskSizeGB, placement) => {
  const nodeClass: AKSNodeClass = {
    apiVersion: 'karpenter.azure.com/v1beta1',
    kind: 'AKSNodeClass',
    metadata: { name: 'default' },
    spec: { osDiskSizeGB },
  };
  expect(placementOf({ sku: skuNamed('B20ms'), nodeClass })).toBe(placement);
});
