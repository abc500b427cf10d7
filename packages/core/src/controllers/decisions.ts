import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Command, DisruptionContext, Proposal, Validity } from '../disruption/index.ts';
import type { Plan, Rejection, SchedulingPolicy } from '../scheduling/index.ts';

/** The pure half, as the shell asks it, in steps. A test may answer in its place. */
export interface Decisions {
  readonly planning: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Steps<Plan>;
  readonly explain: (rejection: Rejection) => string;
  readonly proposing: (context: DisruptionContext) => Steps<Proposal>;
  readonly validating: (command: Command, context: DisruptionContext) => Steps<Validity>;
}
