import { describe, expect, test } from '@jest/globals';
import table from '../../data/size-end-dates.json' with { type: 'json' };
import { endDateOf, endingSeries } from './size-end-dates.ts';
import { staticPriceRegions, staticPricesOf } from './static-prices.ts';

const sold = [...new Set(staticPriceRegions.flatMap((region) => [...staticPricesOf(region).onDemand.keys()]))];

describe('the end date of a size', () => {
  test.each([
    ['Standard_NV12s_v3', '2026-09-30'],
    ['Standard_M192idms_v2', '2027-03-31'],
    ['Standard_HB120-16rs_v2', '2027-05-31'],
    ['Standard_DS13-4_v2', '2028-05-01'],
    ['Standard_D15i_v2', '2028-05-01'],
    ['Standard_L8s', '2028-05-01'],
    ['Standard_B2ms', '2028-11-15'],
    ['Standard_F8s_v2', '2028-11-15'],
    ['Standard_GS5-16', '2028-11-15'],
    ['Standard_DC2ds_v3', '2029-10-31'],
    ['Standard_E64-16s_v3', '2029-11-15'],
  ])('of %s is %s', (size, date) => {
    expect(endDateOf(size)).toBe(date);
  });

  test.each([
    'B2s_v2',
    'D4s_v5',
    'D4as_v4',
    'E4bds_v5',
    'F8as_v6',
    'L8s_v3',
    'HB120rs_v3',
    'NC4as_T4_v3',
    'NV36ads_A10_v5',
    'M64s',
    'DC4as_v5',
  ])('of Standard_%s is not announced', (size) => {
    expect(endDateOf(`Standard_${size}`)).toBeUndefined();
  });

  test('is known for each series of the table by a size that is sold', () => {
    const found = new Set(sold.map(endDateOf));
    expect(table.series.map(({ endsOn }) => endsOn).filter((date) => !found.has(date))).toEqual([]);
  });

  test('counts from 90 days before it', () => {
    const on = (day: string): number => endingSeries(Date.parse(day));
    expect(on('2027-03-02') - on('2027-03-01')).toBe(1);
    expect(on('2000-01-01')).toBe(on(table.readOn));
  });
});
