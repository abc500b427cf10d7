import { writeClaimStatus } from '../../../actions/index.ts';
import type { ConditionChange } from '../../../actions/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node } from '../../../kube/index.ts';
import type { Shell } from '../../shell.ts';

/** A node on its way out; `claim` is missing when it was deleted by hand. */
export interface Leaving {
  readonly node: Node;
  readonly claim?: NodeClaim | undefined;
}

/** Writes a step of the way out onto the claim, as the cache has the claim now. */
export const rememberOnClaim = async (
  shell: Shell,
  { claim, condition }: Leaving & { readonly condition: ConditionChange },
  signal: AbortSignal,
): Promise<void> => {
  const current = claim === undefined ? undefined : shell.caches.nodeClaims.get({ name: claim.metadata.name });
  if (current === undefined || current.metadata.uid !== claim?.metadata.uid) return;
  await writeClaimStatus(shell, { claim: current, conditions: [condition] }, { signal, nowMs: shell.clock.now() });
};
