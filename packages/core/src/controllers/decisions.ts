import type { Steps } from '../base/index.ts';
import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Command, DisruptionContext, Proposal, Validity } from '../disruption/index.ts';
import type { Plan, Rejection, SchedulingPolicy } from '../scheduling/index.ts';

/** The decisions of the pure half, in steps, as the shell calls them. A test may replace them. */
export interface Decisions {
  readonly planning: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Steps<Plan>;
  readonly explain: (rejection: Rejection) => string;
  readonly proposing: (context: DisruptionContext) => Steps<Proposal>;
  readonly validating: (command: Command, context: DisruptionContext) => Steps<Validity>;
}
