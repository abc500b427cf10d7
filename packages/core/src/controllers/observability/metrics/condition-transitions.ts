import { epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Condition } from '../../../kube/index.ts';

/** A condition that says something else than before. */
export interface ConditionTransition {
  readonly type: string;
  /** Absent where the condition is new. */
  readonly from?: Condition['status'];
  readonly to: Condition['status'];
  readonly reason: string;
  readonly message: string;
  /** How long it was as it was; 0 where it is new. */
  readonly lastedMs: number;
}

type Conditions = readonly Condition[] | undefined;

/**
 * What changed between two looks at an object: conditions with another status now. A condition that was not there was
 * Unknown. Source: awslabs/operatorpkg, `status/controller.go`.
 */
export const conditionTransitions = (before: Conditions, after: Conditions, nowMs: number): readonly ConditionTransition[] =>
  (after ?? []).flatMap(({ type, status: to, reason = '', message = '', lastTransitionTime }) => {
    const last = conditionOf(before, type);
    if ((last?.status ?? 'Unknown') === to) return [];
    if (last === undefined) return [{ type, to, reason, message, lastedMs: 0 }];
    const atMs = epochMsOf(lastTransitionTime) ?? nowMs;
    const lastedMs = Math.max(0, atMs - (epochMsOf(last.lastTransitionTime) ?? atMs));
    return [{ type, from: last.status, to, reason, message, lastedMs }];
  });
