import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Plan, SchedulingPolicy } from '../scheduling/index.ts';
import type { DisruptionMethod } from './command.ts';

/** What a disruption pass depends on. */
export interface DisruptionContext {
  readonly snapshot: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  readonly nowMs: number;
  /** Asked between simulations; once true, what a method found so far is its answer. It may be false again for the next method. */
  readonly shouldStop: () => boolean;
  /** Told when a method begins, in the order of methods: what each takes is measured where there is a clock. */
  readonly begins?: (method: DisruptionMethod) => void;
  /** Another scheduler; `policy.without` names the nodes that count as gone. Default: ours, made ready once for all questions of a pass. */
  readonly simulate?: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Plan;
  /** Whether a spot node may be replaced by a cheaper spot node. Default false. */
  readonly spotToSpot?: boolean;
  /** Nodes that single-node consolidation has come to in this round, by name (`Proposal.lookedAt`): it goes on with the others. */
  readonly lookedAt?: ReadonlySet<string>;
  /** Nodes that the look for drift has come to in passes that ran out of time, by name (`Proposal.driftLookedAt`). */
  readonly driftLookedAt?: ReadonlySet<string>;
  /** Which pass this is: each looks at another hundred nodes together, beside the best hundred. Default 0. */
  readonly turn?: number;
}
