import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Plan } from './plan.ts';
import { defaultSchedulingPolicy } from './policy.ts';
import type { SchedulingPolicy } from './policy.ts';
import { preparingWhatIf } from './what-if.ts';

const none: ReadonlySet<string> = new Set();

/**
 * What to do about the pods that have no place: those pending, those of nodes marked for deletion, and those of `policy.without`. No step
 * takes more than some milliseconds, so that whoever runs them can see to other things in between.
 *
 * Guarantees: the same content gives the same plan, whatever the order of the snapshot's arrays and wherever the steps are interrupted;
 * nothing is changed; no promise of a pool's limits is broken by launching every planned node at its largest. Once `shouldStop` answers
 * true, what is left is rejected as `stopped`.
 */
export function* planning(snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean): Steps<Plan> {
  const whatIf = yield* preparingWhatIf(snapshot, policy);
  return yield* whatIf.asking(policy.without ?? none, { shouldStop });
}

const never = (): boolean => false;

/**
 * The plan of `planning`, without a pause: 100,000 pods hold the thread for about a second. Plain JSON is made a snapshot by `snapshotOf`.
 * Nothing that plain JSON may hold makes it throw: what cannot be read is named in `leftOut`, or in the rejection of its pod.
 */
export const simulate = (snapshot: ClusterSnapshot, policy: SchedulingPolicy = defaultSchedulingPolicy, shouldStop = never): Plan =>
  finish(planning(snapshot, policy, shouldStop));
