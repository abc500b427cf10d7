import { refresher } from '@karpenter/core/provider-kit';
import type { Clock, SingletonController } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import type { InstanceTypeCatalog } from '../../catalog/index.ts';
import { familyQuotaOf } from '../../quota/index.ts';

export interface QuotaDeps {
  readonly arm: Pick<ArmApi, 'listUsages'>;
  readonly catalog: Pick<InstanceTypeCatalog, 'setQuota'>;
  readonly clock: Clock;
}

const TEN_MINUTES_MS = 600_000;
/** What is older says nothing: every family counts as having some, and ARM has the last word. */
const GOOD_FOR_MS = 900_000;

/** Reads quota every ten minutes. */
export const quotaRefresh = ({ arm, catalog, clock }: QuotaDeps): SingletonController =>
  refresher({
    name: 'quota',
    clock,
    everyMs: TEN_MINUTES_MS,
    read: async (signal) => {
      catalog.setQuota(familyQuotaOf(await arm.listUsages(signal)));
      return true;
    },
    onAge: (ageMs = 0) => {
      if (ageMs > GOOD_FOR_MS) catalog.setQuota(new Map());
    },
  }).controller;
