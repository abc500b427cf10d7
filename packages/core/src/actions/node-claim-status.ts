import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim, NodeClaimStatus } from '../apis/index.ts';
import { conditionsAfter } from './status-conditions.ts';
import type { ConditionChange } from './status-conditions.ts';
import { patchNodeClaim } from './write-through.ts';
import type { Acting } from './write-through.ts';

const rules = { dependencies: [nodeClaimConditions.launched, nodeClaimConditions.registered, nodeClaimConditions.initialized] };

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
  const after = conditionsAfter(claim, { rules, changes: conditions }, nowMs);
  if (after === claim.status?.conditions && !changesFields(claim, fields)) return 'unchanged';
  return patchNodeClaim(acting, { claim, body: { status: { ...fields, conditions: after } } }, { signal, part: 'status' });
};
