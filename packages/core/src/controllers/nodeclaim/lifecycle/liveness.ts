import { nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { epochMsOf, unreachable } from '../../../base/index.ts';
import { conditionOf, isConditionTrue } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isInitialized, isLaunched, isRegistered } from '../../../state/index.ts';
import type { MissedStep } from '../../../state/index.ts';
import { deleteNodeClaim } from '../../../actions/index.ts';
import type { Shell } from '../../shell.ts';
import { reportPool } from './registration.ts';
import type { ClaimOutcome } from './registration.ts';
import type { FailedLaunch } from '../../../cloudprovider/index.ts';
import { truncate } from './launch.ts';

/** What a provider leaves unsaid. */
export const LAUNCH_TIMEOUT_MS = 5 * 60_000;
const REGISTRATION_TIMEOUT_MS = 15 * 60_000;
/** How long a new process waits for what may have happened while none was running to record it. */
const CATCH_UP_MS = 60_000;
/** What a kubelet says of a time that lies further ahead is about its clock. */
const AHEAD_MS = 5 * 60_000;

/** Why an overdue claim is deleted; a metric label. */
export type Overdue = 'launch_timeout' | 'registration_timeout' | 'initialization_timeout';

/** Whether a claim still has time to make its next step. */
export type Liveness =
  { readonly kind: 'alive' } | { readonly kind: 'due'; readonly inMs: number } | { readonly kind: 'overdue'; readonly reason: Overdue };

export interface LivenessFacts {
  readonly nowMs: number;
  /** When this process began to reconcile claims. */
  readonly leadingSinceMs: number;
  /** How long a claim may take to launch. */
  readonly launchMs: number;
  /** The claim's node, if it is there. */
  readonly node: Node | undefined;
  /** How long a registered node may stay not ready before it was ever initialized; Infinity: for ever. */
  readonly initializationMs: number;
}

const until = (endMs: number, { nowMs, leadingSinceMs }: LivenessFacts, reason: Overdue): Liveness => {
  const deadlineMs = Math.max(endMs, leadingSinceMs + CATCH_UP_MS);
  return deadlineMs > nowMs ? { kind: 'due', inMs: deadlineMs - nowMs } : { kind: 'overdue', reason };
};

/** When the claim reached a step; when it was made, where its status states a time that lies ahead: somebody else wrote it. */
const sinceMs = (claim: NodeClaim, type: string, nowMs: number): number => {
  const statedMs = epochMsOf(conditionOf(claim.status?.conditions, type)?.lastTransitionTime) ?? Number.POSITIVE_INFINITY;
  return statedMs <= nowMs + AHEAD_MS ? statedMs : (epochMsOf(claim.metadata.creationTimestamp) ?? 0);
};

/**
 * Whether a node that is ready lacks the devices that its pods were planned for: they cannot run there before its
 * drivers publish them.
 */
const waitsForDrivers = ({ status }: NodeClaim): boolean =>
  conditionOf(status?.conditions, nodeClaimConditions.initialized)?.reason === 'DRADriverPoolsNotPublished';

/**
 * A node that is or was just ready is alive. It waits for a taint to go or a resource to appear, and pods may run
 * there.
 */
const livenessUninitialized = (claim: NodeClaim, facts: LivenessFacts): Liveness => {
  const { node, initializationMs } = facts;
  const conditions = node?.status?.conditions;
  if (node === undefined || initializationMs === Number.POSITIVE_INFINITY) return { kind: 'alive' };
  if (isConditionTrue(conditions, 'Ready') && !waitsForDrivers(claim)) return { kind: 'alive' };
  const notReadyMs = epochMsOf(conditionOf(conditions, 'Ready')?.lastTransitionTime) ?? 0;
  const isPossible = notReadyMs <= facts.nowMs + AHEAD_MS;
  const deadlineMs = Math.max(sinceMs(claim, nodeClaimConditions.registered, facts.nowMs), isPossible ? notReadyMs : 0) + initializationMs;
  return until(deadlineMs, facts, 'initialization_timeout');
};

/**
 * `launchMs` to launch, then fifteen minutes to register, then `initializationMs` to become ready for the first time,
 * and as long for its device drivers. Source: the original's `pkg/controllers/nodeclaim/lifecycle/liveness.go`.
 * Differs: there a registered node has no deadline, and the fifteen minutes count from the claim's creation. Each step
 * is tried once more after its time is up. Here a new process waits a minute for what happened before it started.
 */
export const livenessOf = (claim: NodeClaim, facts: LivenessFacts): Liveness => {
  if (isInitialized(claim)) return { kind: 'alive' };
  if (isRegistered(claim)) return livenessUninitialized(claim, facts);
  if (isLaunched(claim))
    return until(sinceMs(claim, nodeClaimConditions.launched, facts.nowMs) + REGISTRATION_TIMEOUT_MS, facts, 'registration_timeout');
  return until((epochMsOf(claim.metadata.creationTimestamp) ?? facts.nowMs) + facts.launchMs, facts, 'launch_timeout');
};

/** What a node that came lacked to the end. */
const neverInitialized = ({ status }: NodeClaim): string => {
  const { reason, message = '' } = conditionOf(status?.conditions, nodeClaimConditions.initialized) ?? {};
  return reason === 'DRADriverPoolsNotPublished' ? `The node came: ${message}` : 'The node came, and never became ready';
};

type Missed = Extract<ClaimOutcome, { readonly kind: 'failed' }>;

/** What to record for the pool about a claim that ran out of time. */
const outcomeOf = (claim: NodeClaim, reason: Overdue): Missed => {
  switch (reason) {
    case 'launch_timeout': {
      const launched = conditionOf(claim.status?.conditions, nodeClaimConditions.launched);
      const cause = launched?.reason ?? 'LaunchFailed';
      return { kind: 'failed', step: 'launched', cause, message: launched?.message ?? '' };
    }
    case 'registration_timeout':
      return {
        kind: 'failed',
        step: 'registered',
        cause: 'RegistrationTimeout',
        message: 'The machine was launched, its node did not come',
      };
    case 'initialization_timeout':
      return { kind: 'failed', step: 'initialized', cause: 'InitializationTimeout', message: neverInitialized(claim) };
    default:
      return unreachable(reason);
  }
};

/** Deletes a claim that ran out of time; its pods are planned again. */
export const abandonClaim = async (
  shell: Shell,
  { claim, reason }: { claim: NodeClaim; reason: Overdue },
  signal: AbortSignal,
): Promise<void> => {
  const outcome = outcomeOf(claim, reason);
  if (reason === 'initialization_timeout') shell.reporter.report({ kind: 'never-initialized', claim, message: outcome.message });
  await reportPool(shell, { claim, outcome }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};

const reason = 'async_provisioning';

/** That others of the pool were accepted as well says nothing: only one that came further is a success. */
const missedBy = (claim: NodeClaim): MissedStep => {
  if (isInitialized(claim)) return 'kept';
  return isRegistered(claim) ? 'initialized' : 'registered';
};

/**
 * Ends a claim whose machine its cloud accepted and failed to make; its pods are planned again. As with refusals, what
 * is out of stock makes no pause: the provider remembers it, and the pool may try its other offerings at once.
 */
export const abandonFailedClaim = async (
  shell: Shell,
  { claim, failed: { cause, message, isOutOfStock } }: { claim: NodeClaim; failed: FailedLaunch },
  signal: AbortSignal,
): Promise<void> => {
  shell.reporter.report({ kind: 'launch-failed', claim, reason, message, willRetry: false });
  const outcome = { kind: 'failed', step: missedBy(claim), cause, message: truncate(message) } as const;
  if (!isOutOfStock) await reportPool(shell, { claim, outcome }, signal);
  await deleteNodeClaim(shell, claim, { reason, signal });
};
