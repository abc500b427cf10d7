import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import untried from '../../data/untried-sizes.json' with { type: 'json' };
import { pricesOfKnownSizes } from './known-sizes.ts';
import { endDateOf } from './size-end-dates.ts';
import { isInPriceTable, staticPricesOf } from './static-prices.ts';

const priced = (...sizes: readonly string[]) => new Map(sizes.map((size) => [size, 1]));
const knownOf = (sizes: readonly string[], launched: readonly string[] = []): readonly string[] => [
  ...pricesOfKnownSizes({ onDemand: priced(...sizes), spot: new Map() }, { launched: new Set(launched) }).onDemand.keys(),
];

describe('F9: sizes that may compete by their price', () => {
  test('are those that the original knows', () => {
    expect(knownOf(['Standard_D4s_v5', 'Standard_E128bds_v6', 'Standard_M128bds_1_v4', 'Standard_ND96is_H100_v5'])).toEqual([
      'Standard_D4s_v5',
    ]);
    // eastus sells 225 that it does not name, and 45 of series that have ended.
    const sold = [...staticPricesOf('eastus').onDemand.keys()];
    expect(sold.length - knownOf(sold).length).toBe(270);
  });

  test('are not the 275 of the price table that the original does not name', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../data/README.md'), 'utf8');
    expect(readme).toContain(`the ${untried.sizes.length} sizes of that table that`);
    const sizes = untried.sizes.map((size) => `Standard_${size}`);
    expect([new Set(sizes).size, sizes.filter(isInPriceTable).length, knownOf(sizes)]).toEqual([275, 275, []]);
  });

  test.each([
    ...['NC6', 'NC24r', 'NC6s_v2', 'NC24rs_v2', 'NC6s_v3', 'NC24rs_v3', 'ND6s', 'ND24rs', 'NV6', 'NV24', 'NV12s_v3', 'NV4as_v4'],
    ...['DC1s_v2', 'DC8_v2', 'DC4as_cc_v5', 'EC96ads_cc_v5'],
  ])('are not %s, which has ended, nor by a node of it', (name) => {
    const size = `Standard_${name}`;
    expect([...knownOf([size]), ...knownOf([size], [size])]).toEqual([]);
  });

  test.each([
    ...['NC24ads_A100_v4', 'NC4as_T4_v3', 'ND40rs_v2', 'NV36ads_A10_v5', 'NV4ads_V710_v5'],
    ...['DC2s_v3', 'DC4ds_v3', 'DC4as_v5', 'EC4ads_v5', 'D2s_v3', 'E2as_v4'],
  ])('may be %s once a node of it has joined', (name) => {
    const size = `Standard_${name}`;
    expect(knownOf([size], [size])).toEqual([size]);
  });

  test('are no longer those that Azure retires within 90 days, whatever joined', () => {
    const [series, sizes] = [priced('Standard_NP10s', 'Standard_D4s_v5'), new Set(['Standard_NP10s'])];
    const knownOn = (day: string) => [
      ...pricesOfKnownSizes({ onDemand: series, spot: series }, { launched: sizes, nowMs: Date.parse(day) }).spot.keys(),
    ];
    expect(endDateOf('Standard_NP10s')).toBe('2027-05-31');
    expect(knownOn('2027-03-01')).toEqual(['Standard_NP10s', 'Standard_D4s_v5']);
    expect(knownOn('2027-03-03')).toEqual(['Standard_D4s_v5']);
  });

  test('are those beside whose nodes have joined, but for what Azure takes back', () => {
    const sizes = ['Standard_D4s_v99', 'Standard_E128bds_v6', 'Standard_H16r', 'Standard_NC6_Promo', 'Standard_E64i_v4_SPECIAL'];
    expect(knownOf(sizes, sizes)).toEqual(['Standard_D4s_v99', 'Standard_E128bds_v6']);
  });
});
