import { requeueAfter, settled } from '@karpenter/runtime';
import type { Controller } from '@karpenter/runtime';
import { deleteNodeClaim } from '../../actions/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { durationOrNeverMs, epochMsOf, unreachable } from '../../base/index.ts';
import { isManaged } from '../../cloudprovider/index.ts';
import type { Shell } from '../shell.ts';

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

/** The longest that a timer is set for: setTimeout cannot count further. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** Deletes NodeClaims older than `spec.expireAfter`, whatever budgets say; the termination controller drains them. */
export const expiration = (shell: Shell): Controller<NodeClaim> => ({
  name: 'nodeclaim.expiration',
  kind: 'NodeClaim',
  async reconcile(claim, { signal }) {
    if (!isManaged(claim.spec.nodeClassRef, shell.provider)) return settled;
    const expiry = expiryOf(claim, shell.clock.now());
    switch (expiry.kind) {
      case 'never':
        return settled;
      case 'later':
        return requeueAfter(Math.min(expiry.inMs, LONGEST_WAIT_MS));
      case 'due':
        await deleteNodeClaim(shell, claim, { reason: 'expired', signal });
        return settled;
      default:
        return unreachable(expiry);
    }
  },
});
