import type { NodePool, NodePoolStatus } from '../apis/index.ts';
import { nodePoolConditions } from '../state/index.ts';
import { conditionsAfter } from './status-conditions.ts';
import type { ConditionChange } from './status-conditions.ts';
import { patchNodePool } from './write-through.ts';
import type { Acting } from './write-through.ts';

const rules = { dependencies: [nodePoolConditions.validationSucceeded, nodePoolConditions.nodeClassReady] };

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
  const after = conditionsAfter(pool, { rules, changes: conditions }, nowMs);
  if (after === pool.status?.conditions && fields === undefined) return 'unchanged';
  return patchNodePool(acting, { pool, body: { status: { ...fields, conditions: after } } }, { signal, part: 'status' });
};
