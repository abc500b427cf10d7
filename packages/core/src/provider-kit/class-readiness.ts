import { conditionOf, withCondition } from '../kube/index.ts';
import type { Condition } from '../kube/index.ts';

/** What was found about one part of a class. */
export type Verdict = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

/** What a look at a class gave. */
export interface ClassJudgement {
  readonly verdicts: readonly Verdict[];
  /** The conditions that must all be True for the class to be Ready. */
  readonly parts: readonly string[];
  /** Of the class as it was looked at. */
  readonly generation: number;
  readonly nowMs: number;
}

const READY = 'Ready';

/** Ready is True when all parts are; else it says what the first part that is not says. */
const readyOf = (conditions: readonly Condition[], parts: readonly string[]): Verdict => {
  const found = parts.map(
    (type) => conditionOf(conditions, type) ?? { type, status: 'Unknown' as const, reason: 'AwaitingReconciliation' },
  );
  const worst = found.find(({ status }) => status === 'False') ?? found.find(({ status }) => status === 'Unknown');
  if (worst === undefined) return { type: READY, status: 'True', reason: READY };
  return {
    type: READY,
    status: worst.status,
    reason: worst.reason ?? worst.type,
    message: `${worst.type}=${worst.status}${worst.message ? `, ${worst.message}` : ''}`,
  };
};

/** The conditions of a class after some were judged, Ready among them. Untouched where they say the same as before. */
export const judgedConditions = (
  conditions: readonly Condition[] | undefined,
  { verdicts, parts, generation, nowMs }: ClassJudgement,
): readonly Condition[] => {
  const put = (all: readonly Condition[], { type, status, reason, message }: Verdict): readonly Condition[] =>
    withCondition(all, { type, status, reason: reason ?? type, message: message ?? '', observedGeneration: generation }, nowMs);
  const judged = verdicts.reduce(put, conditions ?? []);
  return put(judged, readyOf(judged, parts));
};
