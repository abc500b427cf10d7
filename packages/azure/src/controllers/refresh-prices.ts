import { type Clock, type Gauge, type Logger, requeueAfter, type SingletonController } from '@karpenter/core/controllers';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import { priceBookOf, refreshedPrices, STATIC_PRICES_AT_MS } from '../pricing/index.ts';

export interface PriceDeps {
  readonly arm: Pick<ArmApi, 'listRetailPrices'>;
  readonly catalog: InstanceTypeCatalog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly priceAge: Gauge;
}

/** Keeps prices; they are read anew when they are half a day old. */
export interface PriceKeeper {
  /** A failure keeps the prices there are: a wrong order of sizes is better than no nodes. */
  refresh(signal: AbortSignal): Promise<void>;
  readonly controller: SingletonController;
}

const HALF_A_DAY_MS = 12 * 3_600_000;
/** After a failure it is not long until the next try, and the age is told as often. */
const LOOK_EVERY_MS = 600_000;

export const priceKeeper = ({ arm, catalog, logger, clock, priceAge }: PriceDeps): PriceKeeper => {
  let readAtMs = STATIC_PRICES_AT_MS;
  const refresh = async (signal: AbortSignal): Promise<void> => {
    try {
      const items = await arm.listRetailPrices(signal);
      if (items === undefined) return;
      catalog.setPrices(refreshedPrices(catalog.prices, priceBookOf(items)));
      readAtMs = clock.now();
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      logger.warn('prices could not be read; the last ones stay', { error });
    }
  };
  return {
    refresh,
    controller: {
      name: 'pricing',
      reconcile: async ({ signal }) => {
        if (readAtMs + HALF_A_DAY_MS <= clock.now()) await refresh(signal);
        priceAge.set(Math.max(0, clock.now() - readAtMs) / 1000);
        return requeueAfter(LOOK_EVERY_MS);
      },
    },
  };
};
