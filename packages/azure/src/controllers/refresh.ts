import { type Logger, requeueAfter, type SingletonController } from '@karpenter/core/controllers';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import { priceBookOf, refreshedPrices } from '../pricing/index.ts';
import { familyQuotaOf } from '../quota/index.ts';

const HALF_A_DAY_MS = 12 * 3_600_000;
const TEN_MINUTES_MS = 600_000;

export interface RefreshDeps {
  readonly arm: Pick<ArmApi, 'listSkus' | 'listUsages' | 'listRetailPrices'>;
  readonly catalog: InstanceTypeCatalog;
  readonly logger: Logger;
}

/** Reads the sizes that the region sells. An empty answer is a mistake and leaves the catalog as it was. */
export const refreshSkus = async ({ arm, catalog, logger }: RefreshDeps, signal: AbortSignal): Promise<void> => {
  const records = await arm.listSkus(signal);
  if (records.length === 0) logger.warn('Azure listed no VM sizes; the known ones stay');
  else catalog.setSkus(records);
};

/** Reads quota; without an answer every family counts as having some, and ARM has the last word. */
const refreshQuota = async ({ arm, catalog }: RefreshDeps, signal: AbortSignal): Promise<void> => {
  catalog.setQuota(familyQuotaOf(await arm.listUsages(signal)));
};

/** Reads prices; a failure keeps the ones there are: a wrong order of sizes is better than no nodes. */
export const refreshPrices = async ({ arm, catalog, logger }: RefreshDeps, signal: AbortSignal): Promise<void> => {
  try {
    const items = await arm.listRetailPrices(signal);
    if (items !== undefined) catalog.setPrices(refreshedPrices(catalog.prices, priceBookOf(items)));
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    logger.warn('prices could not be read; the last ones stay', { error });
  }
};

interface Refresh {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (deps: RefreshDeps, signal: AbortSignal) => Promise<void>;
}

const REFRESHES: readonly Refresh[] = [
  { name: 'instancetype', everyMs: HALF_A_DAY_MS, run: refreshSkus },
  { name: 'pricing', everyMs: HALF_A_DAY_MS, run: refreshPrices },
  { name: 'quota', everyMs: TEN_MINUTES_MS, run: refreshQuota },
];

/** Keeps the catalog up to date with sizes, prices and quota. */
export const refreshControllers = (deps: RefreshDeps): readonly SingletonController[] =>
  REFRESHES.map(({ name, everyMs, run }) => ({
    name,
    reconcile: async ({ signal }) => {
      await run(deps, signal);
      return requeueAfter(everyMs);
    },
  }));
