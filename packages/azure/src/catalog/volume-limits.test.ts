import { expect, test } from '@jest/globals';
import recorded from '../../data/resource-skus.southcentralus.json' with { type: 'json' };
import type { ResourceSku, Sku } from '../skus/index.ts';
import { skuOf } from '../skus/index.ts';
import { diskLimitsOf } from './capacity.ts';

const location = 'southcentralus';

const recordOf = (name: string): ResourceSku => {
  const found = (recorded as readonly ResourceSku[]).find((record) => record.name === `Standard_${name}`);
  if (found === undefined) throw new Error(`no record of ${name}`);
  return found;
};

const read = (record: ResourceSku): Sku => {
  const sku = skuOf(record, location);
  if (sku === undefined) throw new Error(`${record.name ?? ''} is no size`);
  return sku;
};

const saying = (value: string | undefined): ResourceSku => {
  const record = recordOf('D2s_v3');
  const others = (record.capabilities ?? []).filter(({ name }) => name !== 'MaxDataDiskCount');
  return { ...record, capabilities: value === undefined ? others : [...others, { name: 'MaxDataDiskCount', value }] };
};

test.each([
  ['D2s_v3', 4],
  ['D2_v2', 8],
  ['E4d_v5', 8],
  ['B20ms', 32],
  ['NC24ads_A100_v4', 8],
  ['D128ds_v6', 64],
])('a %s attaches %d disks', (name, disks) => {
  expect(diskLimitsOf(read(recordOf(name)))).toEqual({ volumeLimits: { 'disk.csi.azure.com': disks } });
});

test('a size that takes no disks says so', () => {
  expect(diskLimitsOf(read(saying('0')))).toEqual({ volumeLimits: { 'disk.csi.azure.com': 0 } });
});

test('a size about which Azure says nothing has no limit that is known', () => {
  expect(diskLimitsOf(read(saying(undefined)))).toEqual({});
});
