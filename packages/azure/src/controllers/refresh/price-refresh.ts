import type { Gauge } from '@karpenter/core/controllers';
import { type Refresher, refresher } from '@karpenter/core/provider-kit';
import type { Clock, Logger } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';
import { type PriceBook, priceBookOf, refreshedPrices, STATIC_PRICES_AT_MS } from '../../pricing/index.ts';

export interface PriceDeps {
  readonly arm: Pick<ArmApi, 'listRetailPrices'>;
  readonly catalog: InstanceTypeCatalog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly priceAge: Gauge;
}

const HALF_A_DAY_MS = 12 * 3_600_000;
/** Time until the next try after a failure. The age is reported at the same interval. */
const CHECK_EVERY_MS = 600_000;

/** What a book lacks, as a person says it. */
const lackingIn = ({ onDemand, spot }: PriceBook): string =>
  [...(onDemand.size === 0 ? ['none on demand'] : []), ...(spot.size === 0 ? ['none of spot'] : [])].join(', ');

/**
 * Keeps prices, and reads them again when they are half a day old. After a failure the old prices stay: a wrong order
 * of sizes is better than no nodes.
 */
export const priceKeeper = ({ arm, catalog, logger, clock, priceAge }: PriceDeps): Refresher =>
  refresher({
    name: 'pricing',
    clock,
    everyMs: HALF_A_DAY_MS,
    sinceMs: STATIC_PRICES_AT_MS,
    checkEveryMs: CHECK_EVERY_MS,
    read: async (signal) => {
      const items = await arm.listRetailPrices(signal);
      if (items === undefined) return false;
      const fresh = priceBookOf(items);
      const lacking = lackingIn(fresh);
      catalog.setPrices(refreshedPrices(catalog.prices, fresh));
      if (lacking !== '') logger.warn('the price API returned no price of a kind; the last ones stay', { lacking });
      return lacking === '';
    },
    onAge: (ageMs = 0) => priceAge.set(ageMs / 1000),
    onFailure: (error) => logger.warn('prices could not be read; the last ones stay', { error }),
  });
