import { nodeOverlayConditions } from '../apis/index.ts';
import type { NodeOverlay } from '../apis/index.ts';
import { conditionsAfter } from './status-conditions.ts';
import type { ConditionChange } from './status-conditions.ts';
import { patchNodeOverlay } from './write-through.ts';
import type { Acting } from './write-through.ts';

const rules = { dependencies: [nodeOverlayConditions.validationSucceeded] };

/** Writes whether an overlay counts, and `Ready` with it, if that says something new. */
export const writeOverlayStatus = async (
  acting: Acting,
  { overlay, change }: { readonly overlay: NodeOverlay; readonly change: ConditionChange },
  { signal, nowMs }: { signal: AbortSignal; nowMs: number },
): Promise<'written' | 'unchanged' | 'gone'> => {
  const conditions = conditionsAfter(overlay, { rules, changes: [change] }, nowMs);
  if (conditions === overlay.status?.conditions) return 'unchanged';
  return patchNodeOverlay(acting, { overlay, body: { status: { conditions } } }, { signal, part: 'status' });
};
