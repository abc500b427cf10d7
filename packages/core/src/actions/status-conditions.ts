import { nodeClaimConditions, nodeOverlayConditions } from '../apis/index.ts';
import type { NodeClaim, NodeClaimStatus, NodeOverlay, NodePool, NodePoolStatus } from '../apis/index.ts';
import { timestampOf } from '../base/index.ts';
import { conditionOf, withCondition, withoutCondition } from '../kube/index.ts';
import type { Condition, ObjectMeta } from '../kube/index.ts';
import { nodePoolConditions } from '../state/index.ts';
import type { FailedReplacement } from '../state/index.ts';
import { patchNodeClaim, patchNodeOverlay, patchNodePool } from './write-through.ts';
import type { Acting } from './write-through.ts';

/** A condition to be set, or cleared. */
export type ConditionChange =
  | { readonly type: string; readonly status: Condition['status']; readonly reason?: string; readonly message?: string }
  | { readonly type: string; readonly cleared: true };

/** Which conditions an object of a kind always has, and which of them make `Ready`. */
export interface ConditionRules {
  readonly dependencies: readonly string[];
}

/** What conditions are about. */
export interface Conditioned {
  readonly metadata: ObjectMeta;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const READY = 'Ready';

const rootOf = (conditions: readonly Condition[], { dependencies }: ConditionRules): ConditionChange => {
  const states = dependencies.map((type) => conditionOf(conditions, type));
  if (states.every((each) => each?.status === 'True')) return { type: READY, status: 'True', reason: READY, message: '' };
  const waiting = states.flatMap((each) => (each === undefined || each.status === 'True' ? [] : each.type)).join(', ');
  return states.some((each) => each?.status === 'False')
    ? { type: READY, status: 'False', reason: 'UnhealthyDependents', message: waiting }
    : { type: READY, status: 'Unknown', reason: 'ReconcilingDependents', message: waiting };
};

const apply = (
  conditions: readonly Condition[],
  change: ConditionChange,
  at: { nowMs: number; generation: number | undefined },
): readonly Condition[] => {
  if ('cleared' in change) return withoutCondition(conditions, change.type);
  const { type, status, reason = type, message = '' } = change;
  const observed = at.generation === undefined ? {} : { observedGeneration: at.generation };
  return withCondition(conditions, { type, status, reason, message, ...observed }, at.nowMs);
};

const missing = (conditions: readonly Condition[], { dependencies }: ConditionRules): readonly ConditionChange[] =>
  dependencies
    .filter((type) => conditionOf(conditions, type) === undefined)
    .map((type) => ({ type, status: 'Unknown', reason: 'AwaitingReconciliation' }));

/**
 * The object's conditions after some changes: dependencies that are not there yet are Unknown, `Ready` follows from
 * them and stands last. The same list by identity when nothing changed, so that a caller knows to write nothing.
 * Source: awslabs/operatorpkg, `status/condition_set.go`.
 */
export const conditionsAfter = (
  object: Conditioned,
  change: { rules: ConditionRules; changes: readonly ConditionChange[] },
  nowMs: number,
): readonly Condition[] => {
  const before = object.status?.conditions ?? [];
  const at = { nowMs, generation: object.metadata.generation };
  let after = before;
  for (const each of [
    ...change.changes,
    ...missing(before, change.rules).filter(({ type }) => !change.changes.some((c) => c.type === type)),
  ]) {
    after = apply(after, each, at);
  }
  const settled = apply(after, rootOf(after, change.rules), at);
  return settled === before || settled.at(-1)?.type === READY
    ? settled
    : [...settled.filter(({ type }) => type !== READY), ...settled.filter(({ type }) => type === READY)];
};

const causes: Readonly<Record<string, string>> = {
  'replacement-gone': 'it was not launched, or was deleted',
  timeout: 'it did not become ready in time',
  limit: 'a limit left no room for it',
  refused: 'the API server refused its NodeClaim',
};

/** What happened to the replacements of a node, for people. */
export const failedReplacementText = ({ why, times }: Pick<FailedReplacement, 'why' | 'times'>): string =>
  `The replacement of the node failed ${times === 1 ? 'once' : `${times} times`}: ${causes[why] ?? why}`;

/** The condition `Drifted` of a claim. Its message says the reason, and when a replacement that failed is tried again. */
export const driftedCondition = (reason: string, failed: FailedReplacement | undefined): ConditionChange => ({
  type: nodeClaimConditions.drifted,
  status: 'True',
  reason,
  message:
    failed === undefined ? reason : `${reason}. ${failedReplacementText(failed)}. It is tried again after ${timestampOf(failed.untilMs)}`,
});

const claimRules = { dependencies: [nodeClaimConditions.launched, nodeClaimConditions.registered, nodeClaimConditions.initialized] };

/** What to change in a claim's status; fields that are left out stay. */
export interface ClaimStatusChange {
  readonly claim: NodeClaim;
  readonly conditions: readonly ConditionChange[];
  readonly fields?: Omit<NodeClaimStatus, 'conditions'>;
}

const changesFields = (claim: NodeClaim, fields: ClaimStatusChange['fields']): boolean =>
  Object.entries(fields ?? {}).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(claim.status?.[name as keyof NodeClaimStatus]),
  );

/** Writes a claim's conditions and status fields if they say something new; `unchanged` when they do not. */
export const writeClaimStatus = async (
  acting: Acting,
  { claim, conditions, fields }: ClaimStatusChange,
  { signal, nowMs }: { signal: AbortSignal; nowMs: number },
): Promise<'written' | 'unchanged' | 'gone'> => {
  const after = conditionsAfter(claim, { rules: claimRules, changes: conditions }, nowMs);
  if (after === claim.status?.conditions && !changesFields(claim, fields)) return 'unchanged';
  return patchNodeClaim(acting, { claim, body: { status: { ...fields, conditions: after } } }, { signal, part: 'status' });
};

const overlayRules = { dependencies: [nodeOverlayConditions.validationSucceeded] };

/** Writes whether an overlay counts, and `Ready` with it, if that says something new. */
export const writeOverlayStatus = async (
  acting: Acting,
  { overlay, change }: { readonly overlay: NodeOverlay; readonly change: ConditionChange },
  { signal, nowMs }: { signal: AbortSignal; nowMs: number },
): Promise<'written' | 'unchanged' | 'gone'> => {
  const conditions = conditionsAfter(overlay, { rules: overlayRules, changes: [change] }, nowMs);
  if (conditions === overlay.status?.conditions) return 'unchanged';
  return patchNodeOverlay(acting, { overlay, body: { status: { conditions } } }, { signal, part: 'status' });
};

const poolRules = { dependencies: [nodePoolConditions.validationSucceeded, nodePoolConditions.nodeClassReady] };

/** What to change in a pool's status; fields that are left out stay. */
export interface PoolStatusChange {
  readonly pool: NodePool;
  readonly conditions: readonly ConditionChange[];
  readonly fields?: Omit<NodePoolStatus, 'conditions'>;
}

/** Writes a pool's conditions if they say something new. */
export const writePoolStatus = async (
  acting: Acting,
  { pool, conditions, fields }: PoolStatusChange,
  { signal, nowMs }: { signal: AbortSignal; nowMs: number },
): Promise<'written' | 'unchanged' | 'gone'> => {
  const after = conditionsAfter(pool, { rules: poolRules, changes: conditions }, nowMs);
  if (after === pool.status?.conditions && fields === undefined) return 'unchanged';
  return patchNodePool(acting, { pool, body: { status: { ...fields, conditions: after } } }, { signal, part: 'status' });
};
