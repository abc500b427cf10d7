import { describe, expect, test } from '@jest/globals';
import type { QuotaLeft } from '@karpenter/core/provider-kit';
import { fakeClock, silentLogger } from '@karpenter/runtime';
import { ArmError } from '../../arm/arm-error.ts';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';
import type { PriceBook } from '../../pricing/index.ts';
import type { Usage } from '../../quota/index.ts';
import { priceKeeper } from './price-refresh.ts';
import { quotaRefresh } from './quota-refresh.ts';

const context = { signal: new AbortController().signal };
const HOUR = 3_600_000;
const down = new ArmError('down', { code: 'server', cause: undefined });

describe('prices', () => {
  const start = () => {
    const clock = fakeClock(Date.UTC(2026, 6, 1));
    const ages: number[] = [];
    let asked = 0;
    let price: number | undefined = 1;
    let kinds: readonly string[] = ['a', 'a Spot'];
    const warned: unknown[] = [];
    const catalog = {
      prices: { onDemand: new Map(), spot: new Map() } as PriceBook,
      setPrices: (fresh: PriceBook) => (catalog.prices = fresh),
    };
    const listRetailPrices = () => {
      asked += 1;
      return price === undefined
        ? Promise.reject(down)
        : Promise.resolve(kinds.map((skuName) => ({ armSkuName: 'a', skuName, retailPrice: price })));
    };
    const { controller } = priceKeeper({
      arm: { listRetailPrices },
      catalog: catalog as unknown as InstanceTypeCatalog,
      logger: { ...silentLogger, warn: (_message, fields) => void warned.push(fields?.['lacking']) },
      clock,
      priceAge: { set: (value) => void ages.push(value) },
    });
    return {
      clock,
      ages,
      catalog,
      run: () => controller.reconcile(context),
      asked: () => asked,
      setPrice: (to: number | undefined) => (price = to),
      setKinds: (...to: readonly string[]) => (kinds = to),
      warned,
    };
  };

  test('are read when half a day old, and their age is reported in between', async () => {
    const { clock, ages, run, asked } = start();
    await run();
    await clock.advance(HOUR);
    await run();
    expect([asked(), ages]).toEqual([1, [0, 3600]]);
    await clock.advance(11 * HOUR);
    await run();
    expect([asked(), ages.at(-1)]).toEqual([2, 0]);
  });

  test('stay and grow old while they cannot be read', async () => {
    const { clock, ages, catalog, run, setPrice } = start();
    await run();
    setPrice(undefined);
    await clock.advance(20 * HOUR);
    await run();
    expect(catalog.prices.onDemand.get('a')).toBe(1);
    expect(ages.at(-1)).toBe(72_000);
  });

  test.each<[string, readonly string[], string]>([
    ['nothing at all', [], 'none on demand, none of spot'],
    ['no spot price', ['a'], 'none of spot'],
  ])('grow old, and it is said, while the answer holds %s; the other kind is taken', async (_name, kinds, lacking) => {
    const { clock, ages, catalog, run, setPrice, setKinds, asked, warned } = start();
    await run();
    setPrice(2);
    setKinds(...kinds);
    await clock.advance(12 * HOUR);
    await run();
    await clock.advance(HOUR);
    await run();
    expect([ages, asked()]).toEqual([[0, 12 * 3600, 13 * 3600], 3]);
    expect(warned).toEqual([lacking, lacking]);
    const { onDemand, spot } = catalog.prices;
    expect([onDemand.get('a'), spot.get('a')]).toEqual([kinds.includes('a') ? 2 : 1, 1]);
  });

  test('that came with this version have an age too', async () => {
    const { ages, run, setPrice } = start();
    setPrice(undefined);
    await run();
    expect(ages).toEqual([13 * 24 * 3600]);
  });
});

test('quota that is older than a quarter of an hour is forgotten', async () => {
  const clock = fakeClock();
  const reported: QuotaLeft[] = [];
  let usages: readonly Usage[] | undefined = [{ name: { value: 'standardDSv3Family' }, currentValue: 8, limit: 10 }];
  const arm = { listUsages: () => (usages === undefined ? Promise.reject(down) : Promise.resolve(usages)) };
  const controller = quotaRefresh({ arm, catalog: { setQuota: (quota) => void reported.push(quota) }, clock });
  await controller.reconcile(context);
  expect(reported).toEqual([new Map([['standarddsv3family', 2]])]);
  usages = undefined;
  await clock.advance(10 * 60_000);
  await expect(controller.reconcile(context)).rejects.toThrow('down');
  expect(reported).toHaveLength(1);
  await clock.advance(6 * 60_000);
  await expect(controller.reconcile(context)).rejects.toThrow('down');
  expect(reported.at(-1)).toEqual(new Map());
});
