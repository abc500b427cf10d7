import { type Logger, requeueAfter, type SingletonController } from '@karpenter/core/controllers';
import type { ArmApi } from '../arm/arm-api.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';

export interface SkuDeps {
  readonly arm: Pick<ArmApi, 'listSkus'>;
  readonly catalog: InstanceTypeCatalog;
  readonly logger: Logger;
}

const HALF_A_DAY_MS = 12 * 3_600_000;

/** Reads the sizes that the region sells. An empty answer is a mistake and leaves the catalog as it was. */
export const refreshSkus = async ({ arm, catalog, logger }: SkuDeps, signal: AbortSignal): Promise<void> => {
  const records = await arm.listSkus(signal);
  if (records.length === 0) logger.warn('Azure listed no VM sizes; the known ones stay');
  else catalog.setSkus(records);
};

/** Reads them twice a day. */
export const skuRefresh = (deps: SkuDeps): SingletonController => ({
  name: 'instancetype',
  reconcile: async ({ signal }) => {
    await refreshSkus(deps, signal);
    return requeueAfter(HALF_A_DAY_MS);
  },
});
