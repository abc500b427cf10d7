import { type Refresher, refresher } from '@karpenter/core/provider-kit';
import type { Clock, Logger } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';

export interface SkuDeps {
  readonly arm: Pick<ArmApi, 'listSkus'>;
  readonly catalog: InstanceTypeCatalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

const HALF_A_DAY_MS = 12 * 3_600_000;
const CHECK_EVERY_MS = 600_000;

/** Keeps the sizes that the region sells; read twice a day. An empty answer is a mistake and leaves the catalog as it was. */
export const skuKeeper = ({ arm, catalog, clock, logger }: SkuDeps): Refresher =>
  refresher({
    name: 'instancetype',
    clock,
    everyMs: HALF_A_DAY_MS,
    checkEveryMs: CHECK_EVERY_MS,
    read: async (signal) => {
      const records = await arm.listSkus(signal);
      if (records.length === 0) logger.warn('Azure listed no VM sizes; the known ones stay');
      else catalog.setSkus(records);
      return records.length > 0;
    },
  });
