import { type Sku, seriesOf } from '../skus/index.ts';
import type { PriceBook } from './price-book.ts';

/** What a reservation or a savings plan makes of the price on demand, as the user states it. */
export interface CommittedPrice {
  /** A size (`Standard_D4s_v5`), a series (`Ds_v5`), or `*`: every size. The narrower counts. */
  readonly sizes: string;
  readonly price: { readonly kind: 'hourly'; readonly usd: number } | { readonly kind: 'discount'; readonly share: number };
}

const isAbout = (sizes: string, sku: Sku): boolean => sizes === sku.name || sizes === seriesOf(sku.size) || sizes === '*';

const priceOf = ({ price }: CommittedPrice, retail: number | undefined): number | undefined => {
  if (price.kind === 'hourly') return price.usd;
  return retail === undefined ? undefined : retail * (1 - price.share);
};

/**
 * The prices, with committed prices in place of the on-demand retail prices. Spot is never covered. A discount on a
 * size without a known price is ignored.
 */
export const withCommittedPrices = (book: PriceBook, committed: readonly CommittedPrice[], skus: Iterable<Sku>): PriceBook => {
  if (committed.length === 0) return book;
  const bySizes = new Map(committed.map((each) => [each.sizes, each]));
  const onDemand = new Map(book.onDemand);
  for (const sku of skus) {
    const commitment = bySizes.get(sku.name) ?? bySizes.get(seriesOf(sku.size)) ?? bySizes.get('*');
    const price = commitment && priceOf(commitment, book.onDemand.get(sku.name));
    if (price !== undefined) onDemand.set(sku.name, price);
  }
  return { ...book, onDemand };
};

/** Sizes and series of commitments that are about nothing that is sold. */
export const strayCommitments = (committed: readonly CommittedPrice[], skus: Iterable<Sku>): readonly string[] => {
  const sold = [...skus];
  return committed.map(({ sizes }) => sizes).filter((sizes) => !sold.some((sku) => isAbout(sizes, sku)));
};
