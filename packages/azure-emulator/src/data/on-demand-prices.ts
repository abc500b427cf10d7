import prices from '../../data/on-demand-prices.json' with { type: 'json' };

/** The regions that the emulator has prices for, and so can stand in for. */
export const pricedRegions: readonly string[] = prices.regions;

const hourly: Readonly<Record<string, readonly (number | null)[]>> = prices.hourly;

/** Size → USD an hour of one region, Linux on demand; sizes without a price are not offered there. */
export const onDemandPricesOf = (region: string): ReadonlyMap<string, number> => {
  const column = pricedRegions.indexOf(region);
  const offered = new Map<string, number>();
  for (const [size, byRegion] of Object.entries(hourly)) {
    const price = byRegion[column];
    if (typeof price === 'number') offered.set(size, price);
  }
  return offered;
};
