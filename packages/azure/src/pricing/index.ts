export type { PriceBook } from './price-book.ts';
export { priceBookOf, refreshedPrices, type RetailPrice } from './retail-price.ts';
export { staticPricesOf } from './static-prices.ts';
