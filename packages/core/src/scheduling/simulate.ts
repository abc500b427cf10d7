import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Plan } from './plan.ts';
import type { SchedulingPolicy } from './policy.ts';
import { createWhatIf } from './what-if.ts';

const none: ReadonlySet<string> = new Set();

/**
 * What to do about the pods that have no place: those pending, those of nodes marked for deletion, and those of `policy.without`.
 *
 * Guarantees: the same content gives the same plan, whatever the order of the snapshot's arrays; nothing is changed; no promise of a pool's
 * limits is broken by launching every planned node at its largest. Once `shouldStop` answers true, what is left is rejected as `stopped`.
 */
export const simulate = (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean): Plan =>
  createWhatIf(snapshot, policy).ask(policy.without ?? none, shouldStop);
