import { type Clock, requeueAfter, type SingletonController } from '@karpenter/core/controllers';
import type { ArmApi } from '../arm/arm-api.ts';
import { ArmError } from '../arm/arm-error.ts';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import { familyQuotaOf } from '../quota/index.ts';

export interface QuotaDeps {
  readonly arm: Pick<ArmApi, 'listUsages'>;
  readonly catalog: Pick<InstanceTypeCatalog, 'setQuota'>;
  readonly clock: Clock;
}

const TEN_MINUTES_MS = 600_000;
/** What is older says nothing: every family counts as having some, and ARM has the last word. */
const GOOD_FOR_MS = 900_000;

/** Reads quota every ten minutes. */
export const quotaRefresh = ({ arm, catalog, clock }: QuotaDeps): SingletonController => {
  let readAtMs = clock.now();
  return {
    name: 'quota',
    reconcile: async ({ signal }) => {
      try {
        catalog.setQuota(familyQuotaOf(await arm.listUsages(signal)));
        readAtMs = clock.now();
      } catch (error) {
        if (error instanceof ArmError && readAtMs + GOOD_FOR_MS < clock.now()) catalog.setQuota(new Map());
        throw error;
      }
      return requeueAfter(TEN_MINUTES_MS);
    },
  };
};
