import { type Condition, conditionOf, withCondition } from '@karpenter/core';
import { nodeClassConditions, readinessParts } from '../apis/index.ts';

export type Verdict = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

export interface Observation {
  readonly generation: number;
  readonly nowMs: number;
}

const READY = 'Ready';

/** Ready is True when all parts are; else it says what the first part that is not says. */
const readyOf = (conditions: readonly Condition[]): Verdict => {
  const parts = readinessParts.map(
    (type) => conditionOf(conditions, type) ?? { type, status: 'Unknown' as const, reason: 'AwaitingReconciliation' },
  );
  const worst = parts.find(({ status }) => status === 'False') ?? parts.find(({ status }) => status === 'Unknown');
  if (worst === undefined) return { type: nodeClassConditions.ready, status: 'True', reason: READY };
  return {
    type: nodeClassConditions.ready,
    status: worst.status,
    reason: worst.reason ?? worst.type,
    message: `${worst.type}=${worst.status}${worst.message ? `, ${worst.message}` : ''}`,
  };
};

/** The conditions after some were judged, Ready among them. Untouched where they say the same as before. */
export const judgedConditions = (
  conditions: readonly Condition[] | undefined,
  verdicts: readonly Verdict[],
  { generation, nowMs }: Observation,
): readonly Condition[] => {
  const put = (all: readonly Condition[], { type, status, reason, message }: Verdict): readonly Condition[] =>
    withCondition(all, { type, status, reason: reason ?? type, message: message ?? '', observedGeneration: generation }, nowMs);
  const judged = verdicts.reduce(put, conditions ?? []);
  return put(judged, readyOf(judged));
};
