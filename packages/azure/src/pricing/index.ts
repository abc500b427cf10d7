export { type CommittedPrice, strayCommitments, withCommittedPrices } from './committed-price.ts';
export { isKnownOnceJoined, pricesOfKnownSizes } from './known-sizes.ts';
export { type PriceBook, priceBookOf, refreshedPrices, type RetailPrice } from './price-book.ts';
export { endDateOf, endingSeries, SIZE_END_DATES_AS_OF } from './size-end-dates.ts';
export { STATIC_PRICES_AT_MS, staticPriceRegions, staticPricesOf } from './static-prices.ts';
