import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Plan } from './plan.ts';
import { defaultSchedulingPolicy } from './policy.ts';
import type { SchedulingPolicy } from './policy.ts';
import { preparingWhatIf } from './what-if.ts';

const none: ReadonlySet<string> = new Set();

/**
 * What to do about the pods without a place: the pending ones, those of nodes marked for deletion, and those of
 * `policy.without`. Steps take a few milliseconds each, so that the caller can do other things in between.
 *
 * Guarantees: the same content gives the same plan, whatever the order of the snapshot's arrays and wherever the steps
 * are interrupted; the snapshot is not changed; the limits of pools hold even if every planned node is launched at its
 * largest. Once `shouldStop` answers true, the remaining pods are rejected as `stopped`.
 */
export function* planning(snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean): Steps<Plan> {
  const whatIf = yield* preparingWhatIf(snapshot, policy);
  return yield* whatIf.asking(policy.without ?? none, { shouldStop });
}

const never = (): boolean => false;

/**
 * Plans places for pending pods: on existing nodes, on machines to create, or a rejection with its reason. It is
 * `planning` without a pause: 100,000 pods hold the thread for about a second. Plain JSON is made a snapshot by `snapshotOf`. Nothing that plain JSON may hold makes it throw: what cannot be read is named in `leftOut`,
 * or in the rejection of its pod.
 */
export const simulate = (snapshot: ClusterSnapshot, policy: SchedulingPolicy = defaultSchedulingPolicy, shouldStop = never): Plan =>
  finish(planning(snapshot, policy, shouldStop));
