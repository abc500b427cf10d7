import { nodeClaimConditions } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import { isConditionTrue } from '../../kube/index.ts';

const is = (claim: NodeClaim, type: string): boolean => isConditionTrue(claim.status?.conditions, type);

/** The cloud has accepted the machine. */
export const isLaunched = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.launched);

/** The machine's node is known and carries what the claim says. */
export const isRegistered = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.registered);

/** Pods can run there. */
export const isInitialized = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.initialized);

export const isDeleting = (claim: NodeClaim): boolean => claim.metadata.deletionTimestamp !== undefined;
