import { conditionOf, withCondition, withoutCondition } from '../kube/index.ts';
import type { Condition, ObjectMeta } from '../kube/index.ts';

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
