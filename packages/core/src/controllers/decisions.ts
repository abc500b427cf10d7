import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Command, DisruptionContext, Proposal, Validity } from '../disruption/index.ts';
import type { Plan, Rejection, SchedulingPolicy } from '../scheduling/index.ts';

/** The pure half, as the shell asks it. A test may answer in its place. */
export interface Decisions {
  readonly simulate: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Plan;
  readonly explain: (rejection: Rejection) => string;
  readonly proposeCommand: (context: DisruptionContext) => Proposal;
  readonly isStillValid: (command: Command, context: DisruptionContext) => Validity;
}
