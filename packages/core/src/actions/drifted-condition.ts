import { nodeClaimConditions } from '../apis/index.ts';
import { timestampOf } from '../base/index.ts';
import type { FailedReplacement } from '../state/index.ts';
import type { ConditionChange } from './status-conditions.ts';

const causes: Readonly<Record<string, string>> = {
  'replacement-gone': 'it was not launched, or was deleted',
  timeout: 'it did not become ready in time',
  limit: 'a limit left no room for it',
};

/** What happened to the replacements of a drifted node, for people. */
export const failedReplacementText = ({ why, times }: Pick<FailedReplacement, 'why' | 'times'>): string =>
  `The replacement of the drifted node failed ${times === 1 ? 'once' : `${times} times`}: ${causes[why] ?? why}`;

/** The condition `Drifted` of a claim. Its message says the reason, and when a replacement that failed is tried again. */
export const driftedCondition = (reason: string, failed: FailedReplacement | undefined): ConditionChange => ({
  type: nodeClaimConditions.drifted,
  status: 'True',
  reason,
  message:
    failed === undefined ? reason : `${reason}. ${failedReplacementText(failed)}. It is tried again after ${timestampOf(failed.untilMs)}`,
});
