/** One item of the Azure Retail Prices API, as far as it is read. */
export interface RetailPrice {
  readonly armSkuName?: string | undefined;
  readonly retailPrice?: number | undefined;
  readonly skuName?: string | undefined;
  readonly meterName?: string | undefined;
  readonly productName?: string | undefined;
  readonly isPrimaryMeterRegion?: boolean | undefined;
}

interface Choice {
  readonly price: number;
  readonly isPrimary: boolean;
}

const isBetter = (a: Choice, b: Choice | undefined): boolean =>
  b === undefined || (a.isPrimary === b.isPrimary ? a.price < b.price : a.isPrimary);

const isLinux = (item: RetailPrice): boolean =>
  !(item.productName ?? '').endsWith(' Windows') && !(item.meterName ?? '').endsWith(' Low Priority');

const pricesOf = (choices: ReadonlyMap<string, Choice>): ReadonlyMap<string, number> =>
  new Map([...choices].map(([name, { price }]) => [name, price]));

/**
 * Linux prices by size. Of several meters for one size the primary one counts, then the cheapest.
 * Differs: the original takes whichever comes last.
 */
export const priceBookOf = (items: Iterable<RetailPrice>): PriceBook => {
  const onDemand = new Map<string, Choice>();
  const spot = new Map<string, Choice>();
  for (const item of items) {
    const { armSkuName: name, retailPrice: price } = item;
    if (!name || price === undefined || price <= 0 || !isLinux(item)) continue;
    const choices = (item.skuName ?? '').endsWith(' Spot') ? spot : onDemand;
    const choice = { price, isPrimary: item.isPrimaryMeterRegion ?? false };
    if (isBetter(choice, choices.get(name))) choices.set(name, choice);
  }
  return { onDemand: pricesOf(onDemand), spot: pricesOf(spot) };
};

/** The fresh prices; a kind without fresh prices keeps the old ones. */
export const refreshedPrices = (old: PriceBook, fresh: PriceBook): PriceBook => ({
  onDemand: fresh.onDemand.size === 0 ? old.onDemand : fresh.onDemand,
  spot: fresh.spot.size === 0 ? old.spot : fresh.spot,
});

/** USD an hour by size name (`Standard_D2s_v3`). A size without an entry has no known price. */
export interface PriceBook {
  readonly onDemand: ReadonlyMap<string, number>;
  readonly spot: ReadonlyMap<string, number>;
}
