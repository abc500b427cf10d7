import { writePoolStatus } from '../../../actions/index.ts';
import { labels } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import type { LaunchStep, MissedStep } from '../../../state/index.ts';
import { poolHealthChanges } from '../../pool-health-changes.ts';
import type { Shell } from '../../shell.ts';

/** What became of a claim, as its pool should know. */
export type ClaimOutcome =
  | { readonly kind: 'reached'; readonly step: LaunchStep }
  /** Deleted before it reached `step`. `cause` is a condition's reason. */
  | { readonly kind: 'failed'; readonly step: MissedStep; readonly cause: string; readonly message: string };

/** The pool that made the claim, if it is still the same one. */
const poolOf = ({ caches }: Shell, { metadata }: NodeClaim): NodePool | undefined => {
  const pool = caches.nodePools.get({ name: metadata.labels?.[labels.nodePool] ?? '' });
  const isOwner = metadata.ownerReferences?.some(({ uid }) => uid === pool?.metadata.uid);
  return isOwner === true ? pool : undefined;
};

const remember = ({ state }: Shell, { claim, pool }: { claim: NodeClaim; pool: NodePool }, outcome: ClaimOutcome): void => {
  const { name, uid = name } = pool.metadata;
  const claimId = claim.metadata.uid ?? claim.metadata.name;
  const isAboutNode = outcome.step === 'registered' || (outcome.step === 'launched' && outcome.kind === 'failed');
  if (isAboutNode) state.registrations.add(uid, { claimId, isRegistered: outcome.kind === 'reached' });
  if (outcome.kind === 'reached') {
    state.launches.succeeded(name, outcome.step);
    return;
  }
  const { step, cause, message } = outcome;
  state.launches.failed(name, { claimName: claim.metadata.name, step, cause, message });
};

/**
 * Remembers what became of a claim, and writes it on its pool where that changes what the pool says of itself. Report
 * first what the claim's status says already: a conflict here starts a reconcile that no longer takes that step.
 */
export const tellPool = async (
  shell: Shell,
  { claim, outcome }: { claim: NodeClaim; outcome: ClaimOutcome },
  signal: AbortSignal,
): Promise<void> => {
  const pool = poolOf(shell, claim);
  if (pool === undefined) return;
  remember(shell, { claim, pool }, outcome);
  const cause = outcome.kind === 'failed' && outcome.step === 'launched' ? outcome : undefined;
  const conditions = poolHealthChanges(pool, { state: shell.state, cause });
  if (conditions.length > 0) await writePoolStatus(shell, { pool, conditions }, { signal, nowMs: shell.clock.now() });
};
