import type { ClusterSnapshot } from '../cluster/index.ts';
import type { Plan, SchedulingPolicy } from '../scheduling/index.ts';
import type { Blocker, DisruptionMethod } from './blockers/blocker.ts';

/** How often the replacement of a node failed, and when it is tried again (epoch ms). */
export interface FailedReplacementView {
  readonly why: string;
  readonly times: number;
  readonly untilMs: number;
}

/** How much a rebalance may change. */
export interface RebalanceLimits {
  /** Pods that move, all waves together. */
  readonly mostMoves: number;
}

/** Searches for consolidations of an unchanged cluster that found none. */
export interface Stillness {
  readonly snapshot: ClusterSnapshot;
  /** What was searched, as a text: the nodes in question, and how many of each pool the budgets allow. */
  readonly searched: string;
  /** Epoch ms of the last search. */
  readonly atMs: number;
  /** How many searches in a row, each of other sets of nodes. */
  readonly passes: number;
  /** Node name → why consolidation left it. */
  readonly blocked: ReadonlyMap<string, Blocker>;
}

/** Consolidation waits for nodes whose pods settle next; epoch ms. */
export interface Hold {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** What a disruption pass depends on. */
export interface DisruptionContext {
  readonly snapshot: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  readonly nowMs: number;
  /**
   * How long after `nowMs` a command is validated. Nodes whose pods have settled by then are evaluated already, but
   * not before half of their `consolidateAfter` has passed. Default 0.
   */
  readonly planAheadMs?: number;
  /** When a pod last came to the node or went, as far as this process knows; epoch ms. Default: what claims say. */
  readonly lastPodEventMs?: (nodeName: string) => number | undefined;
  /**
   * Asked between simulations: once true, the method answers with what it has found. May be false again for the next
   * method.
   */
  readonly shouldStop: () => boolean;
  /** Called when a method starts, so that the caller, who has a clock, can time it. */
  readonly onMethodStart?: (method: DisruptionMethod) => void;
  /**
   * Another scheduler; `policy.without` names the nodes that count as gone. Default: ours, compiled once for all
   * questions of a pass.
   */
  readonly simulate?: (snapshot: ClusterSnapshot, policy: SchedulingPolicy, shouldStop: () => boolean) => Plan;
  /** Whether a spot node may be replaced by a cheaper spot node. Default false. */
  readonly spotToSpot?: boolean;
  /**
   * Names of nodes that single-node consolidation has evaluated in this round (`Proposal.evaluated`): it continues with
   * the others.
   */
  readonly evaluated?: ReadonlySet<string>;
  /** The same for drift, in passes that ran out of time (`Proposal.driftEvaluated`). */
  readonly driftEvaluated?: ReadonlySet<string>;
  /**
   * Names of the nodes for which commands have planned pods that are not there yet: they stay, unless they have drifted.
   * Default: none.
   */
  readonly targets?: ReadonlySet<string>;
  /**
   * Node name → the replacement that it lacks: drift passes it over until then, and consolidation too if it was refused.
   * Default: none.
   */
  readonly failedReplacements?: ReadonlyMap<string, FailedReplacementView>;
  /** A rebalance takes the place of consolidation: its next wave is searched for, or waited for. Default: none. */
  readonly rebalance?: RebalanceLimits | 'under-way';
  /** `Proposal.still` of the pass before: while nothing changes, consolidation searches nothing again. Default: none. */
  readonly still?: Stillness | undefined;
  /**
   * Whether consolidation may wait for nodes whose pods settle soon. Default false: a question that is put once is
   * answered by the present cluster.
   */
  readonly mayHold?: boolean;
  /** `Proposal.hold` of the pass before. Default: it did not wait. */
  readonly hold?: Hold | undefined;
  /** The number of this pass: each tries another hundred nodes together, besides the best hundred. Default 0. */
  readonly turn?: number;
}
