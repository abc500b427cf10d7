/** One row of the compute usages API. */
export interface Usage {
  readonly name?: { readonly value?: string | undefined } | undefined;
  readonly currentValue?: number | undefined;
  readonly limit?: number | undefined;
}

/** How many vCPUs of a quota family are left; a family without a row is unknown. Keys in lower case. */
export type FamilyQuota = ReadonlyMap<string, number>;

export const familyQuotaOf = (usages: Iterable<Usage>): FamilyQuota => {
  const left = new Map<string, number>();
  for (const { name, limit, currentValue } of usages) {
    if (name?.value !== undefined && limit !== undefined) left.set(name.value.toLowerCase(), limit - (currentValue ?? 0));
  }
  return left;
};

/** Whether a machine of so many vCPUs fits the family's quota. Whatever is not known counts as yes: ARM has the last word. */
export const hasQuota = (quota: FamilyQuota, family: string, vCpus: number): boolean =>
  vCpus <= (quota.get(family.toLowerCase()) ?? Infinity);
