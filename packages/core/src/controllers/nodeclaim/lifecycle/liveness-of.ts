import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { isLaunched, isRegistered } from '../../../state/index.ts';

const LAUNCH_TIMEOUT_MS = 5 * 60_000;
const REGISTRATION_TIMEOUT_MS = 15 * 60_000;

/** Whether a claim still has time to make its next step. */
export type Liveness =
  | { readonly kind: 'alive' }
  | { readonly kind: 'due'; readonly inMs: number }
  | { readonly kind: 'overdue'; readonly reason: 'launch_timeout' | 'registration_timeout' };

const sinceMs = (claim: NodeClaim, type: string): number =>
  epochMsOf(conditionOf(claim.status?.conditions, type)?.lastTransitionTime) ?? epochMsOf(claim.metadata.creationTimestamp) ?? 0;

/** Five minutes to launch, then fifteen to register; from then on a claim has all the time it wants. */
export const livenessOf = (claim: NodeClaim, nowMs: number): Liveness => {
  if (isRegistered(claim)) return { kind: 'alive' };
  const launched = isLaunched(claim);
  const inMs = launched
    ? sinceMs(claim, nodeClaimConditions.launched) + REGISTRATION_TIMEOUT_MS - nowMs
    : (epochMsOf(claim.metadata.creationTimestamp) ?? nowMs) + LAUNCH_TIMEOUT_MS - nowMs;
  if (inMs > 0) return { kind: 'due', inMs };
  return { kind: 'overdue', reason: launched ? 'registration_timeout' : 'launch_timeout' };
};
