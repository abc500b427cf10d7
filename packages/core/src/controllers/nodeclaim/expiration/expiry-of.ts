import type { NodeClaim } from '../../../apis/index.ts';
import { durationOrNeverMs, epochMsOf } from '../../../base/index.ts';

/** What the clock says about a claim. */
export type Expiry = { readonly kind: 'never' } | { readonly kind: 'due' } | { readonly kind: 'later'; readonly inMs: number };

const never: Expiry = { kind: 'never' };

/** Pure: its test needs no cluster and no fake timer. Counts from the claim's creation. */
export const expiryOf = (claim: NodeClaim, nowMs: number): Expiry => {
  const createdMs = epochMsOf(claim.metadata.creationTimestamp);
  const afterMs = durationOrNeverMs(claim.spec.expireAfter ?? 'Never') ?? Number.POSITIVE_INFINITY;
  if (createdMs === undefined || afterMs === Number.POSITIVE_INFINITY || claim.metadata.deletionTimestamp !== undefined) return never;
  const inMs = createdMs + afterMs - nowMs;
  return inMs > 0 ? { kind: 'later', inMs } : { kind: 'due' };
};
