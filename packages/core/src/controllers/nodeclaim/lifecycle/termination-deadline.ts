import { annotations } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { durationMs, epochMsOf, timestampOf } from '../../../base/index.ts';

/** The moment by which a claim that is going must be gone, as its annotation will say it; undefined when there is none or it is said already. */
export const missingDeadline = (claim: NodeClaim): string | undefined => {
  const deletedMs = epochMsOf(claim.metadata.deletionTimestamp);
  const graceMs = durationMs(claim.spec.terminationGracePeriod ?? '');
  if (deletedMs === undefined || graceMs === undefined) return undefined;
  return claim.metadata.annotations?.[annotations.terminationTimestamp] === undefined ? timestampOf(deletedMs + graceMs) : undefined;
};
