import type { QuotaLeft } from '@karpenter/core/provider-kit';

/** One row of the compute usages API. */
export interface Usage {
  readonly name?: { readonly value?: string | undefined } | undefined;
  readonly currentValue?: number | undefined;
  readonly limit?: number | undefined;
}

/** How many vCPUs of each quota family are left; a family without a row is unknown. */
export const familyQuotaOf = (usages: Iterable<Usage>): QuotaLeft => {
  const left = new Map<string, number>();
  for (const { name, limit, currentValue } of usages) {
    if (name?.value !== undefined && limit !== undefined) left.set(name.value.toLowerCase(), limit - (currentValue ?? 0));
  }
  return left;
};
