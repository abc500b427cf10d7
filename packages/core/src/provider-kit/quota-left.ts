/** How much is left of each quota; one without an entry is unknown. Keys in lower case. */
export type QuotaLeft = ReadonlyMap<string, number>;

/** Whether so much fits a quota. What is not known counts as yes: the cloud has the last word. */
export const hasQuota = (left: QuotaLeft, quota: string, amount: number): boolean => amount <= (left.get(quota.toLowerCase()) ?? Infinity);
