import { describe, expect, test } from '@jest/globals';
import recorded from '../../data/resource-skus.southcentralus.json' with { type: 'json' };
import { type Sku, skuOf } from '../skus/index.ts';
import { type CommittedPrice, strayCommitments, withCommittedPrices } from './committed-price.ts';
import type { PriceBook } from './price-book.ts';

const skus = recorded.map((record) => skuOf(record, 'southcentralus')).filter((sku): sku is Sku => sku !== undefined);
const retail: PriceBook = {
  onDemand: new Map([
    ['Standard_D2s_v3', 0.1],
    ['Standard_D4s_v3', 0.2],
    ['Standard_D2_v5', 0.4],
  ]),
  spot: new Map([['Standard_D2s_v3', 0.02]]),
};
const hourly = (sizes: string, usd: number): CommittedPrice => ({ sizes, price: { kind: 'hourly', usd } });
const discount = (sizes: string, share: number): CommittedPrice => ({ sizes, price: { kind: 'discount', share } });

/** Prices on demand of three sizes: two of a series, and another. */
const prices = (...committed: readonly CommittedPrice[]) => {
  const { onDemand } = withCommittedPrices(retail, committed, skus);
  return ['Standard_D2s_v3', 'Standard_D4s_v3', 'Standard_D2_v5'].map((size) => Number(onDemand.get(size)?.toFixed(4)));
};

describe('prices that were committed to', () => {
  test.each<[string, readonly CommittedPrice[], readonly number[]]>([
    ['are none', [], [0.1, 0.2, 0.4]],
    ['of a size', [hourly('Standard_D2s_v3', 0.06)], [0.06, 0.2, 0.4]],
    ['of a size that is paid for already', [hourly('Standard_D2s_v3', 0)], [0, 0.2, 0.4]],
    ['of a series', [discount('Ds_v3', 0.25)], [0.075, 0.15, 0.4]],
    ['of everything', [discount('*', 0.5)], [0.05, 0.1, 0.2]],
    [
      'of everything, of a series and of a size',
      [discount('*', 0.5), discount('Ds_v3', 0.25), hourly('Standard_D4s_v3', 0.01)],
      [0.075, 0.01, 0.2],
    ],
  ])('%s', (_, committed, expected) => {
    expect(prices(...committed)).toEqual(expected);
    expect(prices(...committed.toReversed())).toEqual(expected);
  });

  test('are never those of spot', () => {
    expect(withCommittedPrices(retail, [discount('*', 0.5)], skus).spot).toBe(retail.spot);
  });

  test('by a share of no known price stay unknown; by the hour they become known', () => {
    const size = 'Standard_D64s_v3';
    expect(withCommittedPrices(retail, [discount('*', 0.5)], skus).onDemand.has(size)).toBe(false);
    expect(withCommittedPrices(retail, [hourly(size, 1)], skus).onDemand.get(size)).toBe(1);
  });

  test('of what is not sold are found', () => {
    const committed = [
      hourly('Standard_D2s_v3', 1),
      hourly('Standard_D2s_v33', 1),
      discount('Ds_v3', 0.1),
      discount('Dsv3', 0.1),
      discount('*', 0.1),
    ];
    expect(strayCommitments(committed, skus)).toEqual(['Standard_D2s_v33', 'Dsv3']);
  });
});
